// Calls, texts and voicemails of before numbers could be withheld say that theirs were not after the upgrade, and
// nothing else about them changes.
import { calls, type Entity, recordSchema, sms, voicemails } from '@parley/contract'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { closeAfterTest } from '../../support/after-each.js'
import { startService } from '../../support/service.js'

const added: readonly [Entity, readonly string[]][] = [
  [calls, ['fromWithheld']],
  [sms, ['fromWithheld', 'numMedia', 'mediaUrls']],
  [voicemails, ['callerWithheld']],
]

test('records that lack the new fields are read with them, at the same version and revision, and can be changed', async () => {
  const service = await startService()
  closeAfterTest(() => service.stop())
  const { api, database } = service
  const [from, to] = ['+15550100200', '+15550109001']
  const call = (
    await api.post('/calls', { direction: 'inbound', from, to, metadata: { note: 'ends with }', deep: { a: {} } } })
  ).body
  const text = (await api.post('/sms/inbound', { from, to, body: 'Hello }' })).body
  const voicemail = (await api.post('/voicemails', { callerNumber: from, to, transcript: '"fromWithheld"' })).body
  const paths = [`/calls/${call.id}`, `/sms/${text.id}`, `/voicemails/${voicemail.id}`]
  const read = () =>
    Promise.all([...paths, `/calls/${call.id}/surface`].map(async (path) => (await api.get(path)).body))
  const { asOf: _, ...surface } = (await read())[3]
  const before = (await read()).slice(0, 3)
  for (const [{ table }, names] of added) {
    // Through jsonb, as an earlier upgrade has left them: with another order of keys, so that a record may end with an
    // object.
    const without = names.reduce((whole, name) => `${whole} - '${name}'`, 'record::jsonb')
    await database.withClient(async (client) => {
      await client.query(`alter table ${table} disable trigger user`)
      await client.query(`update ${table} set shape = 0, record = (${without})::json`)
      await client.query(`alter table ${table} enable trigger user`)
    })
  }
  const after = await read()
  expect(after.slice(0, 3)).toEqual(before)
  expect(after[3]).toMatchObject(surface)
  for (const [index, [entity]] of added.entries())
    expect(Compile(recordSchema(entity)).Check(after[index]), entity.slug).toBe(true)
  expect((await api.patch(paths[0] ?? '', { summary: 'Changed' })).body).toMatchObject({
    version: 2,
    fromWithheld: false,
  })
})
