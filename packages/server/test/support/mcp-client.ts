// An agent as tests play it: the official client of the Model Context Protocol, connected to a service with a key.
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client'

export interface ToolOutcome {
  readonly isError: boolean
  readonly text: string
  readonly result: any
}

export interface TestAgent {
  readonly client: Client
  call(name: string, args?: Record<string, unknown>): Promise<ToolOutcome>
}

export async function connectAgent(
  url: string,
  key: string,
  mode: VersionNegotiationMode = 'auto',
): Promise<TestAgent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }))
  return agentOf(client)
}

export const agentOf = (client: Client): TestAgent => ({
  client,
  async call(name, args = {}) {
    const { content, structuredContent, isError = false } = await client.callTool({ name, arguments: args })
    const [first] = content
    const text = first?.type === 'text' ? first.text : ''
    return { isError, text, result: structuredContent ?? JSON.parse(text) }
  },
})
