// What a bucket keeps, against a real S3-compatible server: bytes of any length, streamed; nothing of what failed; and
// errors that tell an operator what to do.
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readS3Address, showS3Address } from '../../src/object-store/s3-address.js'
import { type Bucket, openBucket } from '../../src/object-store/s3-bucket.js'
import { S3Trouble } from '../../src/object-store/s3-trouble.js'
import { hasS3, type S3Server, s3Credentials, startS3 } from '../support/servers/s3-server.js'

test('an address says bucket, prefix, endpoint, region and style, and holds no credentials', () => {
  expect(readS3Address('s3://shop-audio')).toEqual({
    bucket: 'shop-audio',
    prefix: '',
    endpoint: undefined,
    region: undefined,
    isPathStyle: false,
  })
  const own = readS3Address('s3://audio/parley/eu/?endpoint=https://s3.example.com:9000/&region=eu-west-1')
  expect(own).toEqual({
    bucket: 'audio',
    prefix: 'parley/eu/',
    endpoint: 'https://s3.example.com:9000',
    region: 'eu-west-1',
    isPathStyle: true,
  })
  expect(own && showS3Address(own)).toBe('s3://audio/parley/eu/ at https://s3.example.com:9000')
  expect(readS3Address('s3://audio?endpoint=http://store&style=virtual')?.isPathStyle).toBe(false)
  const wrong = [
    's3://',
    's3://A_B',
    's3://key:secret@audio',
    's3://audio?endpoint=store',
    's3://audio?regoin=x',
    'audio',
  ]
  const odd = ['s3://audio?style=other', 's3://audio#x', 's3://audio:80', 's3://audio/%', 'http://audio', 's3:/audio']
  for (const text of [...wrong, ...odd]) expect(readS3Address(text), text).toBeUndefined()
})

describe.skipIf(!hasS3)('a bucket', () => {
  let server: S3Server
  let bucket: Bucket
  const opened: Bucket[] = []
  const open = async (url: string, timeoutMs = 30_000) => {
    const address = readS3Address(url)
    if (address === undefined) throw new Error(`${url} is no address`)
    const one = await openBucket(address, { timeoutMs })
    opened.push(one)
    return one
  }
  const troubleOf = async (work: Promise<unknown>): Promise<S3Trouble> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (error instanceof S3Trouble) return error
    throw new Error(`Expected trouble with the store, not ${String(error)}`)
  }
  beforeAll(async () => {
    for (const [name, value] of Object.entries(s3Credentials)) vi.stubEnv(name, value)
    server = await startS3()
    bucket = await open(server.url('recordings/shop'))
  })
  afterAll(async () => {
    for (const one of opened) one.close()
    await server?.stop()
    vi.unstubAllEnvs()
  })
  const read = async (key: string, range?: { start: number; end: number }) => {
    const bytes = await bucket.open(key, range)
    return bytes && buffer(bytes)
  }

  test('it keeps nothing, little and much, gives any part of it, and forgets it', async () => {
    await bucket.check()
    await bucket.put('a/empty', [])
    expect(await bucket.size('a/empty')).toBe(0)
    await bucket.put('a/little', [Buffer.from('hello '), Buffer.from('there')])
    expect((await read('a/little', { start: 6, end: 8 }))?.toString()).toBe('the')
    expect([await bucket.size('a/none'), await bucket.open('a/none')]).toEqual([undefined, undefined])
    // Three parts, the second of which begins in the middle of a chunk; no more than one is held.
    const block = randomBytes(3 * 1024 * 1024)
    const hash = createHash('sha256')
    const source = async function* () {
      for (let index = 0; index < 7; index++) {
        hash.update(block)
        yield block
      }
    }
    await bucket.put('b/much', source())
    const much = await read('b/much')
    expect(much?.length).toBe(7 * block.length)
    expect(
      createHash('sha256')
        .update(much ?? '')
        .digest('hex'),
    ).toBe(hash.digest('hex'))
    const keys = async (beginning: string) => {
      const found: string[] = []
      for await (const { key } of bucket.list(beginning)) found.push(key)
      return found
    }
    expect(await keys('')).toEqual(['a/empty', 'a/little', 'b/much'])
    expect(await keys('b/')).toEqual(['b/much'])
    for (const key of ['a/empty', 'a/empty', 'a/little', 'b/much']) await bucket.remove(key)
    expect(await keys('')).toEqual([])
  })

  test('of an upload whose source fails nothing stays, nor of one that a crash left, once its key is removed', async () => {
    const unfinished = () => readdir(server.folderOf('recordings'), { recursive: true })
    const failing = async function* () {
      yield randomBytes(9 * 1024 * 1024)
      throw new Error('the sender hung up')
    }
    await expect(bucket.put('c/broken', failing())).rejects.toThrow('the sender hung up')
    expect(await bucket.size('c/broken')).toBeUndefined()
    const parts = (names: string[]) => names.filter((name) => name.includes('multipart/') && !name.endsWith('.lock'))
    const before = parts(await unfinished())
    // A process that dies in the middle: it neither goes on nor gives up.
    const { sdk, client } = await (await import('../../src/object-store/s3-connection.js')).connect(bucket.address, {
      timeoutMs: 30_000,
    })
    const target = { Bucket: 'recordings', Key: 'shop/c/crashed' }
    const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(target))
    await client.send(new sdk.UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: randomBytes(100) }))
    client.destroy()
    expect(parts(await unfinished()).length).toBeGreaterThan(before.length)
    await bucket.removeUnfinished('c/crashed')
    expect(parts(await unfinished())).toEqual(before)
  })

  test('a signed address needs no credentials, is for download, and cannot be changed', async () => {
    await bucket.put('d/sound', [Buffer.from('tone')])
    const url = await bucket.signedUrl('d/sound', { seconds: 60, contentType: 'audio/wav', fileName: 'voicemail-1' })
    const answer = await fetch(url)
    expect(await answer.text()).toBe('tone')
    expect(answer.headers.get('content-type')).toBe('audio/wav')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="voicemail-1"')
    expect((await fetch(url.replace('d/sound', 'a/little'))).status).toBe(403)
  })

  test('what is wrong is said in words that help', async () => {
    const other = await open(server.url('no-such-bucket'))
    expect(await troubleOf(other.check())).toMatchObject({
      kind: 'refused',
      message: `s3://no-such-bucket/ at ${server.endpoint}: there is no such bucket; create it, or correct its name`,
    })
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'unknown')
    expect((await troubleOf((await open(server.url())).check())).message).toContain('correct AWS_ACCESS_KEY_ID')
    vi.stubEnv('AWS_ACCESS_KEY_ID', s3Credentials.AWS_ACCESS_KEY_ID)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'not the secret')
    expect((await troubleOf((await open(server.url())).check())).message).toContain('correct AWS_SECRET_ACCESS_KEY')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3Credentials.AWS_SECRET_ACCESS_KEY)
  })

  test('a store that is away or answers nothing is given up on', async () => {
    await bucket.put('e/kept', [Buffer.from('kept')])
    const hasty = await open(server.url('recordings/shop'), 300)
    await server.freeze()
    expect(await troubleOf(hasty.size('e/kept'))).toMatchObject({ kind: 'away' })
    server.goOn()
    await server.kill()
    expect(await troubleOf(bucket.put('e/new', [Buffer.from('x')]))).toMatchObject({
      kind: 'away',
      message: expect.stringContaining('cannot be reached'),
    })
    await server.start()
    const bytes = await bucket.open('e/kept')
    expect(bytes && (await text(bytes))).toBe('kept')
  })
})
