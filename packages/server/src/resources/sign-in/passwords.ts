// Passwords: kept as scrypt with its parameters, so that these can rise. Each takes 32 MiB and a good part of a second,
// which is why only a few are worked on at a time.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { unavailable } from '../../store/api-error.js'

interface Cost {
  /** The logarithm of scrypt's N. */
  readonly logN: number
  readonly r: number
  readonly p: number
}

/** What OWASP asks for at 32 MiB. */
const cost: Cost = { logN: 15, r: 8, p: 3 }
const MEMORY_BYTES = 64 * 1024 * 1024
const SALT_BYTES = 16
const HASH_BYTES = 32
const AT_A_TIME = 2
const WAITING_MAX = 50

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { logN, r, p } = cost
  const hash = await derive(password, salt, cost)
  return ['scrypt', logN, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** False without a hash too, after the same time: whether there is a user must not show. */
export async function isPassword(password: string, kept: string | null | undefined): Promise<boolean> {
  const [, logN, r, p, salt = '', hash = ''] = (kept ?? nobodys).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), {
    logN: Number(logN),
    r: Number(r),
    p: Number(p),
  })
  return timingSafeEqual(found, expected) && kept !== null && kept !== undefined
}

/** Matches nothing that anybody could type, and takes as long to find out. */
const nobodys = [
  'scrypt',
  cost.logN,
  cost.r,
  cost.p,
  randomBytes(SALT_BYTES).toString('base64url'),
  randomBytes(HASH_BYTES).toString('base64url'),
].join('$')

const run = promisify<string, Buffer, number, object, Buffer>(scrypt)
let running = 0
const waiting: (() => void)[] = []

async function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  await takeTurn()
  try {
    // The same letters typed on another keyboard may come composed otherwise.
    return await run(password.normalize('NFKC'), salt, HASH_BYTES, { N: 2 ** logN, r, p, maxmem: MEMORY_BYTES })
  } finally {
    passTurn()
  }
}

async function takeTurn(): Promise<void> {
  if (running < AT_A_TIME) return void running++
  if (waiting.length >= WAITING_MAX) throw unavailable('Too many people sign in at this moment; try again', 2)
  await new Promise<void>((resolve) => waiting.push(resolve))
}

function passTurn(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}
