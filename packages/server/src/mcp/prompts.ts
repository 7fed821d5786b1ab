// What people ask of an agent day by day, ready to pick: each prompt names the tools that do the job.
import { isObject } from '@parley/contract'
import { RpcError, rpcCodes } from './message.js'

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  readonly text: (given: Readonly<Record<string, string>>) => string
}

interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

const argument = (name: string, description: string, required = true): PromptArgument => ({
  name,
  description,
  required,
})

const prompts: readonly Prompt[] = [
  {
    name: 'who-to-call-back',
    title: 'Who is waiting for a call back',
    description: 'Missed calls and voicemails that nobody has answered since.',
    arguments: [argument('since', 'From when on, such as 2026-01-31T00:00:00Z; the last day unless said', false)],
    text: ({ since = 'the last 24 hours' }) =>
      `Find calls with status "missed" and voicemails since ${since}. Read the timeline of each person, and leave ` +
      'out whoever was called or texted afterwards. List the others, most urgent first: who, which number, when, ' +
      'what they wanted.',
  },
  {
    name: 'prepare-for-call',
    title: 'Prepare for a call',
    description: 'What to know about a person before ringing them.',
    arguments: [argument('person', 'A name, a phone number or an id')],
    text: ({ person }) =>
      `Find the person ${JSON.stringify(person)} and read their timeline. Tell in a few lines: who they are, open ` +
      'work and drafts, what was promised, what is unpaid, and what was said last.',
  },
  {
    name: 'review-drafts',
    title: 'Review waiting drafts',
    description: 'Check drafts that wait for a decision against what was said.',
    arguments: [],
    text: () =>
      'Find drafts with status "pending_review". Read the transcript of the call of each, compare, and tell what is ' +
      'wrong or missing. Where the transcript is clear, change the draft; leave the decision to me.',
  },
  {
    name: 'follow-up-call',
    title: 'Follow up a call',
    description: 'What a call asks for: facts, work, and what was promised.',
    arguments: [argument('call', 'The id of the call')],
    text: ({ call }) =>
      `Read the transcript of the call ${JSON.stringify(call)}. Propose a fact for each thing worth keeping about ` +
      'the caller, with the words that show it as evidence; propose a draft if work was asked for and there is none ' +
      'yet. Then list what was promised, and by when.',
  },
  {
    name: 'day-in-short',
    title: 'The day in short',
    description: 'What happened, in numbers and in a few sentences.',
    arguments: [argument('day', 'Such as 2026-01-31; today unless said', false)],
    text: ({ day = 'today' }) =>
      `Use stats and find to tell what happened on ${day}: calls answered and missed, SMS, new work, drafts that ` +
      'wait, and what needs somebody tomorrow. At most ten lines.',
  },
]

export const listedPrompts = prompts.map(({ name, title, description, arguments: asked }) => ({
  name,
  title,
  description,
  arguments: asked,
}))

export function promptMessages(name: unknown, given: unknown = {}) {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined)
    throw new RpcError(rpcCodes.params, `name must be one of: ${prompts.map((one) => one.name).join(', ')}`)
  const values = requireArguments(prompt, given)
  const content = { type: 'text', text: prompt.text(values) }
  return { description: prompt.description, messages: [{ role: 'user', content }] }
}

const ARGUMENT_LENGTH = 200

function requireArguments(prompt: Prompt, given: unknown): Record<string, string> {
  if (!isObject(given)) throw new RpcError(rpcCodes.params, 'arguments must be an object')
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!prompt.arguments.some((one) => one.name === name))
      throw new RpcError(rpcCodes.params, `arguments.${name.slice(0, ARGUMENT_LENGTH)} is not known to this prompt`)
    if (typeof value !== 'string' || value.length > ARGUMENT_LENGTH)
      throw new RpcError(rpcCodes.params, `arguments.${name} must be text of at most ${ARGUMENT_LENGTH} characters`)
    if (value.trim() !== '') values[name] = value
  }
  const missing = prompt.arguments.find(({ name, required }) => required && values[name] === undefined)
  if (missing) throw new RpcError(rpcCodes.params, `arguments.${missing.name} is required`)
  return values
}
