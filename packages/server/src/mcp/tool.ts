// What a tool is: what it takes, who may use it, and the request to the API that it makes.
import type { AgentWrites, Body, Scope } from '@parley/contract'
import { includesScope } from '@parley/contract'
import type { ApiRequest } from './api-request.js'
import { plainSchema } from './plain-schema.js'

export type Arguments = Readonly<Record<string, unknown>>

export interface Tool<A = Arguments> {
  readonly name: string
  readonly description: string
  readonly input: Body<A>
  readonly scope: Scope
  /** It writes without anybody deciding: for keys whose `agentWrites` is `direct`. */
  readonly isDirect?: true
  /** The request that it makes, or what is known without one. */
  readonly plan: (given: A) => ApiRequest | { readonly known: Record<string, unknown> }
}

/** In the list of tools they are all of one type: what a plan is given has been checked against its input. */
export const tool = <A>(definition: Tool<A>): Tool => definition as unknown as Tool

/** Who asks. */
export interface Agent {
  readonly scope: Scope
  readonly agentWrites: AgentWrites
}

/** Why a tool is not for this agent; undefined where it is. */
export function whyRefused({ scope, isDirect }: Tool, agent: Agent): string | undefined {
  if (!includesScope(agent.scope, scope)) return `This needs a key with scope ${scope}`
  if (isDirect && agent.agentWrites !== 'direct')
    return 'This key proposes: use propose_fact, propose_draft or change_draft, or a key with agentWrites "direct"'
  return undefined
}

const output = {
  type: 'object',
  properties: {
    notice: { type: 'string' },
    record: { type: 'object' },
    records: { type: 'array', items: { type: 'object' } },
    nextCursor: { type: 'string' },
  },
}

/** As `tools/list` shows it. */
export const listed = ({ name, description, input, scope, isDirect }: Tool) => ({
  name,
  description,
  inputSchema: plainSchema(input.schema),
  outputSchema: output,
  annotations: { readOnlyHint: scope === 'READ', ...(isDirect && { destructiveHint: true }), openWorldHint: false },
})
