// Connection URLs with several hosts, read as libpq reads them.
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config/config.js'
import { Connector } from '../../src/database/connector.js'
import { hostsOf } from '../../src/database/hosts.js'
import { openDatabase } from '../../src/database/pool.js'
import { sql } from '../../src/database/sql.js'

test('each host gets a URL of its own, with everything else as it was', () => {
  expect(hostsOf('postgresql://u:p%40@one:5432,two:5433/db?sslmode=require&target_session_attrs=read-write')).toEqual({
    urls: ['postgresql://u:p%40@one:5432/db?sslmode=require', 'postgresql://u:p%40@two:5433/db?sslmode=require'],
    kind: 'read-write',
    connectTimeoutMs: undefined,
  })
  expect(hostsOf('postgres://[::1]:5432,two')).toEqual({
    urls: ['postgres://[::1]:5432', 'postgres://two'],
    kind: undefined,
    connectTimeoutMs: undefined,
  })
  expect(hostsOf('postgresql://one/db?connect_timeout=30')?.connectTimeoutMs).toBe(30_000)
  expect(hostsOf('postgresql://u@/db?host=/a,/b&port=1,2')?.urls).toEqual([
    'postgresql://u@/db?host=/a&port=1',
    'postgresql://u@/db?host=/b&port=2',
  ])
  expect(hostsOf('postgresql://u@/db?host=%2Fa&port=1')?.urls).toEqual(['postgresql://u@/db?host=%2Fa&port=1'])
})

test.each([
  'postgresql://u@one,two:port/db',
  'postgresql://u@one/db?target_session_attrs=fastest',
  'postgresql://u@one/db?target_session_attrs=standby',
  'postgresql://u@one/db?connect_timeout=soon',
  'postgresql://u@one/db?connect_timeout=1,2',
  'postgresql://u@/db?host=/a,/b,/c&port=1,2',
  'postgresql://u:p#w@one,two/db',
])('%s is refused, and its name is said', (url) => {
  const read = () => readConfig({ DATABASE_URL: url, PARLEY_SECRET: 'a secret for tests only' })
  expect(read).toThrow(ConfigError)
  expect(read).toThrow('DATABASE_URL')
})

test('reads need to know whose standbys they go to', () => {
  const read = () => readConfig({ DATABASE_READ_URL: 'postgresql://u@two,three/db' })
  expect(read).toThrow('DATABASE_URL is not set; with DATABASE_READ_URL')
  const writing = () => readConfig({ DATABASE_READ_URL: 'postgresql://u@two/db?target_session_attrs=read-write' })
  expect(writing).toThrow('DATABASE_READ_URL is "postgresql://***@two/db')
  const env = {
    DATABASE_URL: 'postgresql://u@one/db',
    PARLEY_SECRET: 'a secret for tests only',
    PARLEY_READ_WAIT: '20ms',
  }
  expect(readConfig({ ...env, DATABASE_READ_URL: 'postgresql://u@two,three/db' }).readWaitMs).toBe(20)
})

test('connecting may take as long as the URL says', async () => {
  const options = { kind: 'any', statementTimeoutMs: 1_000 } as const
  const within = (url: string) => new Connector({ ...options, url }).settings().connectionTimeoutMillis
  expect(within('postgresql://one,two/db')).toBe(5_000)
  expect(within('postgresql://one,two/db?connect_timeout=30')).toBe(30_000)
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const database = openDatabase({
    url: `postgresql://u@127.0.0.1:${port}/db?connect_timeout=1`,
    connections: 1,
    statementTimeoutMs: 0,
  })
  await expect(database.query(sql`select 1`)).rejects.toThrow(/timeout/)
  await database.close()
  silent.close()
})
