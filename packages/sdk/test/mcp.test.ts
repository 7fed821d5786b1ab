// `parley mcp` as an agent's program starts it: the official client of the protocol over standard input and output.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentOf } from '../../server/test/support/mcp-client.js'
import { type Service, startService } from '../../server/test/support/service.js'
import { type Cli, createCli } from './support/cli.js'

let service: Service
let cli: Cli

beforeAll(async () => {
  service = await startService()
  cli = await createCli({ PARLEY_BASE_URL: service.url, PARLEY_API_KEY: service.api.key })
})
afterAll(async () => {
  await cli?.remove()
  await service?.stop()
})

test.each(['auto', 'legacy'] as const)(
  'an agent lists, finds and proposes over stdio, negotiated as %s',
  async (mode) => {
    const { body: person } = await service.api.post('/people', { displayName: 'Maria Lopez' })
    const { body: minted } = await service.api.post('/api-keys', { name: 'Agent', scope: 'WRITE' })
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    const env = { ...cli.env, PARLEY_API_KEY: minted.key }
    const args = [join(cli.home, 'parley.mjs'), 'mcp']
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25')
    const agent = agentOf(client)
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('create')
    const many = await Promise.all(
      Array.from({ length: 12 }, () => agent.call('find', { entity: 'people', q: 'lopez' })),
    )
    for (const { result } of many) expect(result.records[0]).toMatchObject({ quoted: { displayName: 'Maria Lopez' } })
    const proposal = { subjectType: 'person', subjectId: person.id, key: 'likes', value: 'tea — “green”' }
    expect((await agent.call('propose_fact', proposal)).result.record.status).toBe('proposed')
    expect((await agent.call('find', { entity: 'api-keys' })).result.error.details[0].path).toBe('entity')
    await client.close()
  },
)

test('lines come back with their ids, whatever becomes of them, and nothing else is printed', async () => {
  const lines = [
    '{"jsonrpc":"2.0","id":"a","method":"ping"}',
    'no json',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"nonsense"}}',
  ]
  const { code, stdout, stderr } = await cli.run(['mcp'], { input: lines.join('\n') })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(answers.map(({ id }) => id).sort()).toEqual([7, 'a', null].sort())
  expect(answers.find(({ id }) => id === null).error.code).toBe(-32700)
  const [ping = ''] = lines
  const away = await cli.run(['mcp'], { input: ping, env: { PARLEY_BASE_URL: 'http://127.0.0.1:9' } })
  expect(JSON.parse(away.stdout)).toMatchObject({
    id: 'a',
    error: { message: expect.stringContaining('did not answer') },
  })
  const refused = await cli.run(['mcp'], { input: ping, env: { PARLEY_API_KEY: `ak_test_${'x'.repeat(32)}` } })
  expect(JSON.parse(refused.stdout)).toMatchObject({
    id: 'a',
    error: { message: expect.stringContaining('valid API key') },
  })
  const open = spawn(process.execPath, [join(cli.home, 'parley.mjs'), 'mcp'], { env: cli.env })
  open.stdin.write(`${ping}\n`)
  await once(open.stdout, 'data')
  open.kill('SIGTERM')
  expect((await once(open, 'close'))[0]).toBe(0)
  expect((await cli.run(['mcp'], { env: { PARLEY_API_KEY: '' } })).stderr).toContain('You are not logged in')
})
