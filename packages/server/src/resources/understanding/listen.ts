// Finds the mentions of a conversation without holding up the other requests of this process: after a few milliseconds
// it lets them have a turn. What was found in a call that goes on is remembered for its next segments.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Mention, SpeechContext, SpokenSegment } from '../../extraction/mention.js'
import { createMentionFinder, type MentionFinder } from '../../extraction/mentions/find-mentions.js'
import type { RulesMemory } from '../../extraction/understanding.js'

/** How long it goes on before others have a turn. */
const TURN_MS = 8

/** How long this process has been at it, in all: what else it does is then known from its clock. */
export const effort = { ms: 0 }

interface Heard {
  readonly finder: MentionFinder
  readonly segments: SpokenSegment[]
  readonly mentions: Mention[]
  readonly memory: RulesMemory
}

const nothingHeard = (context: SpeechContext): Heard => ({
  finder: createMentionFinder(context),
  segments: [],
  mentions: [],
  memory: {},
})

export const listen = async (segments: readonly SpokenSegment[], context: SpeechContext): Promise<Mention[]> =>
  (await hearOn(nothingHeard(context), segments)).mentions

async function hearOn(heard: Heard, segments: readonly SpokenSegment[]): Promise<Heard> {
  let beganMs = performance.now()
  const rest = () => {
    effort.ms += performance.now() - beganMs
    return nextTurn()
  }
  for (const segment of segments.slice(heard.segments.length)) {
    if (performance.now() - beganMs > TURN_MS) {
      await rest()
      beganMs = performance.now()
    }
    heard.mentions.push(...heard.finder.add(segment))
    heard.segments.push(segment)
  }
  effort.ms += performance.now() - beganMs
  return heard
}

export interface Listener {
  /** `key` names the conversation, of which more may come. */
  listen(
    key: string,
    segments: readonly SpokenSegment[],
    context: SpeechContext,
  ): Promise<{ mentions: Mention[]; memory: RulesMemory }>
}

/** Remembers the conversations that it heard last; one that it has forgotten is heard from its beginning. */
export function createListener(conversationsMax: number): Listener {
  const known = new Map<string, Heard>()
  return {
    async listen(key, segments, context) {
      const before = known.get(key)
      known.delete(key)
      const heard = await hearOn(before && goesOn(before, segments) ? before : nothingHeard(context), segments)
      known.set(key, heard)
      const [oldest] = known.keys()
      if (known.size > conversationsMax && oldest !== undefined) known.delete(oldest)
      return { mentions: [...heard.mentions], memory: heard.memory }
    },
  }
}

/** What was heard is still how the conversation begins. */
const goesOn = ({ segments: heard }: Heard, segments: readonly SpokenSegment[]): boolean =>
  heard.length <= segments.length &&
  heard.every(({ speaker, text }, index) => segments[index]?.speaker === speaker && segments[index]?.text === text)
