// Wires what happens to recordings in the background: the worker that fetches them, and the sweep of what nothing
// names.
import type { Config } from '../config/config.js'
import { version } from '../config/version.js'
import { readNetworks } from '../delivery/transport/address-policy.js'
import { createLookup, type Lookup } from '../delivery/transport/dns-lookup.js'
import { createBackgroundJobs } from '../maintenance/background-jobs.js'
import { FETCH_QUEUED } from '../recordings/fetch-queue.js'
import { createRecordingFetcher } from '../recordings/fetch-recordings.js'
import { BLOB_DROPPED, sweepBlobs } from '../recordings/unnamed-blobs.js'
import { type FetchingParts, recordingFetching } from '../resources/calls/fetched-files.js'
import type { ProviderApis } from '../resources/integrations/connection-check.js'
import { fileAuthorization } from '../resources/integrations/file-authorization.js'
import type { Announcement } from '../store/change.js'
import { createDownload } from './guarded-download.js'

export interface RecordingsParts extends Omit<FetchingParts, 'download' | 'authorize'> {
  readonly apis: ProviderApis
  readonly config: Config
  readonly onTrouble: (error: Error) => void
  /** What tests bring instead of the real network. */
  readonly overrides?: { readonly ca?: string | undefined; readonly lookup?: Lookup } | undefined
}

export interface Recordings {
  /** Looks at once when a commit tells of something to do. */
  onAnnouncements(announcements: readonly Announcement[]): void
  start(): void
  stop(): Promise<void>
}

const sweep = 'sweep of recordings'
const SWEEP_MS = 60_000

export function createRecordings({ config, onTrouble, overrides, apis, ...parts }: RecordingsParts): Recordings {
  const { database, clock, services } = parts
  const { recordingTimeoutMs: timeoutMs, recordingRetryDelaysMs: retryDelaysMs } = config
  const opened = readNetworks(config.recordingAllowNetworks)
  const download = createDownload({
    version,
    opened,
    lookup: overrides?.lookup ?? createLookup(),
    ca: overrides?.ca,
    timeoutMs,
  })
  const fetcher = createRecordingFetcher({
    database,
    clock,
    onTrouble,
    timeoutMs,
    retryDelaysMs,
    ...recordingFetching({ ...parts, download, authorize: fileAuthorization({ ...parts, apis }) }),
  })
  const chores = createBackgroundJobs(
    [{ name: sweep, everyMs: SWEEP_MS, run: () => sweepBlobs(database, services.blobs, clock()) }],
    onTrouble,
  )
  return {
    onAnnouncements(announcements) {
      if (announcements.some(({ topic }) => topic === FETCH_QUEUED)) fetcher.wake()
      if (announcements.some(({ topic }) => topic === BLOB_DROPPED)) chores.hasten(sweep)
    },
    start() {
      fetcher.start()
      chores.start()
    },
    async stop() {
      await Promise.all([fetcher.stop(), chores.stop()])
    },
  }
}
