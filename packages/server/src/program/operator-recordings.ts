// `parley-server recordings copy`: brings recordings from where they are kept to another folder or bucket.
import type { Command } from 'commander'
import type { Config } from '../config/config.js'
import { StartupError } from '../database/startup-error.js'
import { type BlobPlace, blobPlaceExpected, readBlobPlace, showBlobPlace } from '../object-store/blob-place.js'
import type { CopyResult } from '../recordings/copy-blobs.js'
import { ApiError } from '../store/api-error.js'
import { jsonOption, type Printing, print, withDatabase } from './operator-database.js'

interface CopyOptions extends Printing {
  readonly to: string
  readonly from?: string
  readonly verify?: boolean
}

const PROGRESS_MS = 2_000

export function addRecordingCommands(program: Command): void {
  program
    .command('recordings')
    .description('recordings and other files')
    .command('copy')
    .description('copy them to another folder or bucket; a copy that was broken off goes on')
    .requiredOption('--to <place>', 'file:///folder or s3://bucket/prefix?endpoint=…')
    .option('--from <place>', 'where they are; unless given, where the settings keep them')
    .option('--verify', 'compare also what is there already')
    .addOption(jsonOption())
    .action((options: CopyOptions) => withDatabase((database, config) => copy(database, config, options)))
}

type Use = Parameters<typeof withDatabase>[0]

async function copy(database: Parameters<Use>[0], config: Config, options: CopyOptions): Promise<void> {
  const { blobPlaceOf, openBlobs } = await import('../recordings/open-blobs.js')
  const from = options.from === undefined ? blobPlaceOf(config) : requirePlace('--from', options.from)
  const to = requirePlace('--to', options.to)
  if (showBlobPlace(from) === showBlobPlace(to))
    throw new StartupError(`Recordings are at ${showBlobPlace(from)} already; name another place with --to.`)
  const { copyBlobs } = await import('../recordings/copy-blobs.js')
  const { countNamedBlobs } = await import('../recordings/named-blobs.js')
  const opened = [from, to].map((place) =>
    openBlobs(place, { timeoutMs: config.blobTimeoutMs, isSigning: false, onTrouble: sayTrouble }),
  )
  const [source, target] = await Promise.all(opened)
  if (source === undefined || target === undefined) return
  try {
    if (source.isAway() || target.isAway()) throw new StartupError('Nothing was copied. Try again when both are there.')
    const total = await countNamedBlobs(database)
    const result = await copyBlobs({
      database,
      from: source.blobs,
      to: target.blobs,
      isVerifying: options.verify === true,
      onProgress: options.json ? () => undefined : progressOf(total.blobs),
    })
    print(options, result, summaryOf(result, to))
    if (result.missing > 0) throw new StartupError(missingText(result, from))
  } catch (error) {
    throw error instanceof ApiError
      ? new StartupError('The copy broke off. Run the same command again: it goes on from there.', { cause: error })
      : error
  } finally {
    source.close()
    target.close()
  }
}

function requirePlace(option: string, written: string): BlobPlace {
  const place = readBlobPlace(written)
  if (place === undefined)
    throw new StartupError(`${option} is no place for recordings; expected ${blobPlaceExpected}.`)
  return place
}

const sayTrouble = (error: Error): void => console.error(error.message)

function progressOf(total: number): (soFar: CopyResult) => void {
  let toldAt = Date.now()
  return ({ copied, present, missing }) => {
    if (Date.now() - toldAt < PROGRESS_MS) return
    toldAt = Date.now()
    console.error(`${copied + present + missing} of ${total}`)
  }
}

const summaryOf = ({ copied, bytes, present }: CopyResult, to: BlobPlace): string =>
  `Copied ${copied} (${(bytes / 1_048_576).toFixed(1)} MiB) to ${showBlobPlace(to)}; ${present} were there already.`

const missingText = ({ missing, missingNames }: CopyResult, from: BlobPlace): string =>
  `${missing} that the database names are not at ${showBlobPlace(from)}: ${missingNames.join(', ')}` +
  `${missing > missingNames.length ? ', …' : ''}. Bring them there, or name with --from where they are.`
