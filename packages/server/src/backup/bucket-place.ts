// Backups in a bucket of an S3-compatible store. A backup counts once it is in the index, which is written last; one
// that is being written is in the index by another name, so that what a crash left is found.

import { showS3Address } from '../object-store/s3-address.js'
import type { Bucket } from '../object-store/s3-bucket.js'
import { type BackupPlace, isBackupName, isStale, MANIFEST, UNFINISHED } from './backup-place.js'

const INDEX = 'index/'

export function bucketPlace(bucket: Bucket): BackupPlace {
  const address = showS3Address(bucket.address)
  const place: BackupPlace = {
    address,
    async begin(name, now) {
      for await (const { key } of bucket.list(INDEX)) {
        const left = key.slice(INDEX.length)
        if (isStale(left, now)) await removeAll(bucket, left.slice(0, -UNFINISHED.length), key)
      }
      await bucket.put(INDEX + name + UNFINISHED, [])
      return {
        ...place.open(name),
        write: (path, source) => bucket.put(`${name}/${path}`, source),
        async finish(manifest) {
          await bucket.put(`${name}/${MANIFEST}`, [Buffer.from(manifest)])
          await bucket.put(INDEX + name, [])
          await bucket.remove(INDEX + name + UNFINISHED)
        },
        discard: () => removeAll(bucket, name, INDEX + name + UNFINISHED),
      }
    },
    async names() {
      const found: string[] = []
      for await (const { key } of bucket.list(INDEX)) found.push(key.slice(INDEX.length))
      return found.filter(isBackupName).sort()
    },
    open: (name) => ({ address: `${address}${name}`, read: (path) => bucket.open(`${name}/${path}`) }),
    async remove(name) {
      await bucket.put(INDEX + name + UNFINISHED, [])
      await bucket.remove(INDEX + name)
      await removeAll(bucket, name, INDEX + name + UNFINISHED)
    },
    close: bucket.close,
  }
  return place
}

/** The mark goes last, so that whoever is interrupted is followed by another. */
async function removeAll(bucket: Bucket, name: string, mark: string): Promise<void> {
  for await (const { key } of bucket.list(`${name}/`)) await bucket.remove(key)
  await bucket.remove(mark)
}
