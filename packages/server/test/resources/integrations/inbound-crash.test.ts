// Kills the server, and with it its database, at random moments while a provider sends: whatever was acknowledged ends
// as exactly one record. INBOUND_LOAD=2000 runs it at full size.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { attachEmbedded } from '../../../src/embedded-postgres/embedded.js'
import { queryDatabase } from '../../support/empty-database.js'
import { freePort } from '../../support/free-port.js'
import { endPrograms, newDataDir, type Program, serveProgram } from '../../support/program.js'
import { accountSid, authToken, newSid, sendForm, textForm } from '../../support/providers/twilio.js'
import { postgresPid } from '../../support/servers/embedded-server.js'
import { type Client, clientOf } from '../../support/service.js'
import { until } from '../../support/until.js'

const LOAD = Number(process.env['INBOUND_LOAD'] ?? 120)
const KILLS = Number(process.env['INBOUND_KILLS'] ?? 2)
const SENDERS = 8

afterAll(() => endPrograms())

/** What a dead server held is free at once, instead of half a minute later. */
async function endLeases(dataDir: string, diedAt: Date): Promise<void> {
  const { url = '' } = (await attachEmbedded(dataDir)) ?? {}
  await queryDatabase(
    url,
    "update inbound_requests set due_at = now() where claim is not null and due_at < $1::timestamptz + interval '30 s'",
    [diedAt],
  )
}

test(`kill -9 of server and database during ${LOAD} requests loses nothing and doubles nothing`, async () => {
  const port = await freePort()
  const env = {
    PORT: String(port),
    PARLEY_DATA_DIR: await newDataDir(),
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PARLEY_RATE_LIMIT_INBOUND: '100000:100000',
    PARLEY_RATE_LIMIT_READ: '100000:100000',
    PARLEY_INBOUND_RETRY_DELAYS: '100ms,100ms,100ms,100ms,100ms,100ms',
  }
  let program: Program = await serveProgram(env)
  const { keys } = await program.firstRun()
  const api = (): Client => clientOf(program.url, keys.test)
  const made = await api().post('/integration-connections', {
    provider: 'twilio',
    name: 'Phones',
    config: { accountSid },
    credentials: { authToken },
  })
  expect(made.status, made.text).toBe(201)
  const urls: Record<string, string> = made.body.inboundUrls

  const acknowledged: { kind: string; sid: string }[] = []
  let sent = 0
  const send = async () => {
    while (sent < LOAD) {
      const index = sent++
      const isText = index % 2 === 0
      const sid = newSid(isText ? 'SM' : 'CA')
      const From = `+1415${String(5_550_000 + (index % 40))}`
      const form = isText
        ? textForm({ MessageSid: sid, From, Body: `Text ${index}` })
        : { CallSid: sid, From, To: '+15005550006', Direction: 'inbound', CallStatus: 'completed', CallDuration: '3' }
      const kind = isText ? 'sms' : 'voice-status'
      // A provider tries again until somebody answers; so the same request may be acknowledged twice.
      for (;;) {
        const answer = await sendForm(urls[kind] ?? '', form).catch(() => undefined)
        if (answer && answer.status < 300) break
        if (answer && answer.status < 500) throw new Error(`${answer.status} ${await answer.text()}`)
        await sleep(50)
      }
      acknowledged.push({ kind, sid })
    }
  }
  const sending = Promise.all(Array.from({ length: SENDERS }, send))
  for (let kill = 1; kill <= KILLS; kill++) {
    while (sent < (LOAD / (KILLS + 1)) * (kill - 0.3 + Math.random() * 0.6)) await sleep(5)
    const victims = [program.pid, await postgresPid(join(program.dataDir, 'database', 'cluster'))]
    // Every other time the server alone: then its database goes on without it.
    for (const pid of kill % 2 === 1 ? victims : victims.slice(0, 1)) process.kill(pid, 'SIGKILL')
    await program.finished
    const restartedAt = new Date()
    program = await serveProgram(env)
    await endLeases(program.dataDir, restartedAt)
  }
  await sending
  expect(acknowledged).toHaveLength(LOAD)

  const path = `/integration-connections/${made.body.id}/inbound`
  await until(
    async () => (await api().get(`${path}?status=pending&limit=1`)).body.data.length,
    (left) => left === 0,
    300_000,
  )
  expect((await api().get(`${path}?status=failed`)).body.data).toEqual([])
  const namesOf = async (list: string, field: string) => {
    const names: string[] = []
    for (let cursor = ''; ; ) {
      const { data, pagination } = (await api().get(`${list}?limit=100${cursor}`)).body
      names.push(...data.map((record: Record<string, string>) => record[field]))
      if (pagination.nextCursor === null) return names.toSorted()
      cursor = `&cursor=${pagination.nextCursor}`
    }
  }
  const sidsOf = (kind: string) => acknowledged.filter((one) => one.kind === kind).map(({ sid }) => sid)
  expect(await namesOf('/sms', 'providerMessageId')).toEqual(sidsOf('sms').toSorted())
  expect(await namesOf('/calls', 'providerCallId')).toEqual(sidsOf('voice-status').toSorted())
  const people = await namesOf('/people', 'primaryPhone')
  expect(new Set(people).size).toBe(people.length)
  await program.stop()
})
