// Opens the place of backups that an operator names: a folder, or a bucket.
import { resolve } from 'node:path'
import { StartupError } from '../database/startup-error.js'
import { readS3Address, type S3Address, s3AddressExpected } from '../object-store/s3-address.js'
import { openBucket } from '../object-store/s3-bucket.js'
import { S3Trouble } from '../object-store/s3-trouble.js'
import { type BackupPlace, isBackupName } from './backup-place.js'
import { bucketPlace } from './bucket-place.js'
import { folderPlace, splitFolder } from './folder-place.js'

/** Closes the place in the end, and says in a line what a store had against it. */
export async function withPlace<T>(
  written: string,
  timeoutMs: number,
  use: (place: BackupPlace, name: string | undefined) => Promise<T>,
): Promise<T> {
  const { name, ...opened } = await splitAddress(written)
  const place =
    'root' in opened ? folderPlace(opened.root) : bucketPlace(await openBucket(opened.address, { timeoutMs }))
  try {
    return await use(place, name)
  } catch (error) {
    throw error instanceof S3Trouble ? new StartupError(error.message, { cause: error }) : error
  } finally {
    place.close()
  }
}

type SplitAddress = { readonly name: string | undefined } & (
  | { readonly root: string }
  | { readonly address: S3Address }
)

/** What was written may name one backup, or the place that holds several. */
async function splitAddress(written: string): Promise<SplitAddress> {
  if (!/^s3:/i.test(written)) return splitFolder(resolve(written))
  const address = readS3Address(written)
  if (address === undefined)
    throw new StartupError(`${written} is no address of a bucket; expected ${s3AddressExpected}`)
  const last = address.prefix.split('/').at(-2) ?? ''
  if (!isBackupName(last)) return { address, name: undefined }
  return { address: { ...address, prefix: address.prefix.slice(0, -last.length - 1) }, name: last }
}

/** The one that was named, or the newest of the place that was complete at a time. */
export async function pickName(place: BackupPlace, name: string | undefined): Promise<string> {
  const picked = name ?? (await place.names()).at(-1)
  if (picked === undefined) throw new StartupError(`There is no complete backup at ${place.address}.`)
  return picked
}
