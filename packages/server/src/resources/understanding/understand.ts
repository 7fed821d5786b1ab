// Reads a conversation and proposes what it says: facts, signals and, for a call, its draft. Reading costs time and
// perhaps money, so it is done once; what is proposed is decided on what is stored at the moment of the commit.
import { calls } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { extractByRules } from '../../extraction/rules/extract-by-rules.js'
import type { Extractor, Understanding, Vocabulary } from '../../extraction/understanding.js'
import type { Reader } from '../../store/reader.js'
import { Work } from '../../store/work.js'
import { commitAsSystem, type SystemParts, systemCaller } from '../generic/system-caller.js'
import { personalKeys } from './fact-keys.js'
import { effort, type Listener, listen } from './listen.js'
import { extractByModel } from './model-extractor.js'
import { readBefore } from './model-readings.js'
import { proposeDraft } from './propose-draft.js'
import { proposeFacts } from './propose-facts.js'
import { proposeSignals } from './propose-signals.js'
import { type Spoken, type SpokenCall, spokenInCall, spokenInSms, spokenInVoicemail } from './spoken.js'
import { finishedJob, finishJob, type UnderstandingJob } from './understanding-queue.js'
import { speechContextOf, vocabularyOf } from './vocabulary.js'

const WORKER = 'understanding'

export interface UnderstandingParts extends SystemParts {
  readonly listener: Listener
  /** The addresses of models that the operator allows. */
  readonly modelUrls: readonly string[]
}

/** Does a job and settles it. One whose conversation is gone, or whose organization wants nothing of it, just ends. */
export async function understand(parts: UnderstandingParts, job: UnderstandingJob): Promise<void> {
  const caller = await systemCaller(parts.database, job.tenantId)
  const work = caller && new Work(parts.database, caller, parts.clock(), WORKER)
  const isWanted = work !== undefined && work.caller.settings.extractor !== 'off'
  if (job.kind === 'call') {
    const spoken = work && (await spokenInCall(work, job.subjectId))
    if (spoken && isWanted) await understandCall(parts, work, spoken)
    else if (spoken) await passOver(parts, work, spoken)
    return finishJob(parts.database, job)
  }
  const read = job.kind === 'sms' ? spokenInSms : spokenInVoicemail
  const spoken = isWanted ? await read(work, job.subjectId) : undefined
  return spoken && work ? understandMessage(parts, work, spoken, job) : finishJob(parts.database, job)
}

interface Heard {
  readonly understanding: Understanding
  readonly vocabulary: Vocabulary
}

async function hear(parts: UnderstandingParts, work: Work, spoken: Spoken): Promise<Heard> {
  const [vocabulary, context] = await Promise.all([
    vocabularyOf(work),
    speechContextOf(work, work.caller, spoken.startedAt),
  ])
  const segments = spoken.lines
  const heard =
    spoken.callId === null
      ? { mentions: await listen(segments, context) }
      : await parts.listener.listen(`${work.tenantId} ${spoken.callId}`, segments, context)
  const extract = extractorFor(parts, work, spoken)
  return { understanding: await extract({ segments, context, vocabulary, ...heard }), vocabulary }
}

const byRules: Extractor = async (conversation) => {
  const beganMs = performance.now()
  const understanding = extractByRules(conversation)
  effort.ms += performance.now() - beganMs
  return understanding
}

/** While people talk the rules are quick; a model is asked once, when all was said. */
function extractorFor(parts: UnderstandingParts, work: Work, spoken: Spoken | SpokenCall): Extractor {
  const isWhole = !('isFinal' in spoken) || spoken.isFinal
  if (work.caller.settings.extractor !== 'model' || !isWhole) return byRules
  return async (conversation) => {
    const found = await byRules(conversation)
    return (await readBefore(work, spoken, found)) ?? extractByModel(parts, work, conversation, spoken, found)
  }
}

async function understandCall(parts: UnderstandingParts, reader: Work, spoken: SpokenCall): Promise<void> {
  const { understanding, vocabulary } = await hear(parts, reader, spoken)
  const { extractor, signals } = understanding
  await commitAsSystem(parts, reader.tenantId, WORKER, async (work) => {
    // Who reads the same call at the same time proposes the same: one of them starts again and finds it there.
    work.addFence(await work.readFence(`understanding:${spoken.call.id}`))
    const now = await spokenNow(work, spoken)
    if (now === undefined) return
    await proposeFacts(work, now, understanding)
    await proposeSignals(work, now, signals, extractor)
    await proposeDraft(work, {
      spoken: now,
      understanding,
      vocabulary,
      personalKeys: await personalKeys(work),
    })
    markRead(work, now)
  })
}

/** The same words, of the call as it is now: it may have ended or got a person meanwhile. */
async function spokenNow(read: Reader, spoken: SpokenCall): Promise<SpokenCall | undefined> {
  const call = await read.get(calls, spoken.call.id)
  return call && { ...spoken, call, personId: call.personId }
}

const markRead = (work: Work, { call, revision }: SpokenCall): void =>
  work.addStatement(
    sql`update call_activity a set understood_revision = greatest(a.understood_revision, ${revision}::bigint)
      from not_a_replay
      where a.tenant_id = ${work.tenantId}::uuid and a.call_id = ${call.id}::uuid returning 1`,
    1,
    { recurs: true },
  )

/** Nothing is to be made of it; it is not looked at again before more is said. */
async function passOver(
  { database }: UnderstandingParts,
  { tenantId }: Reader,
  { call, revision }: SpokenCall,
): Promise<void> {
  await database.query(
    sql`update call_activity set understood_revision = greatest(understood_revision, ${revision}::bigint)
      where tenant_id = ${tenantId} and call_id = ${call.id}`,
  )
}

async function understandMessage(
  parts: UnderstandingParts,
  work: Work,
  spoken: Spoken,
  job: UnderstandingJob,
): Promise<void> {
  const { understanding } = await hear(parts, work, spoken)
  const { extractor, signals } = understanding
  await commitAsSystem(parts, job.tenantId, WORKER, async (work) => {
    await proposeFacts(work, spoken, understanding)
    await proposeSignals(work, spoken, signals, extractor)
    work.addStatement(finishedJob(job), 1)
  })
}
