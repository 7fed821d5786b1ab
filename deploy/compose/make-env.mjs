// Prints the .env file of compose.yaml's profile `full`, with new secrets: keep it, 0600, beside your backups and not in
// them. Usage: node deploy/compose/make-env.mjs > .env
import { randomBytes } from 'node:crypto'

const secret = () => randomBytes(24).toString('hex')
const database = secret()

process.stdout.write(`COMPOSE_PROFILES=full
PARLEY_ROLE=api
PARLEY_PUBLIC_URL=http://localhost:3000
PARLEY_SECRET=${secret()}
POSTGRES_PASSWORD=${database}
DATABASE_URL=postgresql://parley:${database}@postgres:5432/parley
REDIS_URL=redis://redis:6379
PARLEY_BLOBS_URL=s3://parley?endpoint=http://objects:7070
S3_ACCESS_KEY=parley
S3_SECRET_KEY=${secret()}
GRAFANA_PASSWORD=${secret()}
`)
