// Names of subscribers, asked of a real DNS server on loopback: all addresses, the hosts file, silence, and rebinding
// end to end.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSender } from '../../../src/delivery/attempt/attempt.js'
import { newSecret } from '../../../src/delivery/attempt/sign.js'
import { readNetworks } from '../../../src/delivery/transport/address-policy.js'
import { createLookup } from '../../../src/delivery/transport/dns-lookup.js'
import { closeAfterTest } from '../../support/after-each.js'
import { createAuthority } from '../../support/webhooks/certificates.js'
import { startDns, type Zone } from '../../support/webhooks/dns-server.js'
import { startSubscriber, startTcp } from '../../support/webhooks/subscriber.js'

/** A question that is asked again because the machine was slow would be counted twice. */
const patient = 60_000

async function dns(zone: Zone) {
  const started = await startDns(zone)
  closeAfterTest(() => started.close())
  return started
}

test('both families are asked, and every address is given', async () => {
  const { server, questions } = await dns(() => ['192.0.2.1', '2001:db8::1', '192.0.2.2', '2001:db8::2'])
  expect(await createLookup({ servers: [server], timeoutMs: patient })('hooks.example.com')).toEqual([
    '192.0.2.1',
    '192.0.2.2',
    '2001:db8::1',
    '2001:db8::2',
  ])
  expect(questions.toSorted()).toEqual(['A hooks.example.com', 'AAAA hooks.example.com'])
})

test('one family is enough', async () => {
  const { server } = await dns((name) => (name.startsWith('v4') ? ['192.0.2.1'] : ['2001:db8::1']))
  const lookup = createLookup({ servers: [server], timeoutMs: patient })
  expect(await lookup('v4.example.com')).toEqual(['192.0.2.1'])
  expect(await lookup('v6.example.com')).toEqual(['2001:db8::1'])
})

test('every look-up asks anew', async () => {
  let answer = '192.0.2.1'
  const { server } = await dns(() => [answer])
  const lookup = createLookup({ servers: [server], timeoutMs: patient })
  expect(await lookup('hooks.example.com')).toEqual(['192.0.2.1'])
  answer = '192.0.2.9'
  expect(await lookup('hooks.example.com')).toEqual(['192.0.2.9'])
})

test('a name that does not exist is an error', async () => {
  const { server } = await dns(() => [])
  await expect(createLookup({ servers: [server], timeoutMs: patient })('nowhere.example.com')).rejects.toThrow(
    /ENOTFOUND/,
  )
})

test('the hosts file comes first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-hosts-'))
  closeAfterTest(async () => rmSync(folder, { recursive: true }))
  const hostsFile = join(folder, 'hosts')
  writeFileSync(
    hostsFile,
    '# local names\n127.0.0.1 localhost\n10.1.2.3\tHooks.Test other # not commented.test\n::1 hooks.test\nrubbish hooks.test\n',
  )
  const { server, questions } = await dns(() => ['192.0.2.1'])
  const lookup = createLookup({ servers: [server], hostsFile, timeoutMs: patient })
  expect(await lookup('hooks.test')).toEqual(['10.1.2.3', '::1'])
  expect(questions).toEqual([])
  expect(await lookup('commented.test')).toEqual(['192.0.2.1'])
})

test('names whose servers are silent do not hold up others', async () => {
  let speak = () => {}
  const spoken = new Promise<string[]>((resolve) => {
    speak = () => resolve(['192.0.2.2'])
  })
  const { server } = await dns((name) => (name.startsWith('silent') ? spoken : ['192.0.2.1']))
  const lookup = createLookup({ servers: [server], timeoutMs: patient })
  const given: unknown[] = []
  const silent = Array.from({ length: 50 }, async (_, index) => given.push(await lookup(`silent-${index}.example.com`)))
  expect(await lookup('hooks.example.com')).toEqual(['192.0.2.1'])
  expect(given).toEqual([])
  speak()
  await Promise.all(silent)
  expect(given).toEqual(Array.from({ length: 50 }, () => ['192.0.2.2']))
})

test('a name whose server stays silent is given up', async () => {
  const { server } = await dns(() => undefined)
  await expect(createLookup({ servers: [server], timeoutMs: 300 })('silent.example.com')).rejects.toThrow(/ETIMEOUT/)
})

test('a name that is rebound between look-ups never leads to the forbidden address', async () => {
  const authority = createAuthority()
  const subscriber = await startSubscriber(authority.issue(['DNS:rebind.example.com']), (_request, response) =>
    response.end(),
  )
  const forbidden = await startTcp(() => undefined, { address: '127.0.0.2', port: subscriber.port })
  let asked = 0
  const { server } = await dns(() => (asked++ % 4 < 2 ? ['127.0.0.1'] : ['127.0.0.2']))
  const sender = createSender({
    version: '1',
    ca: authority.ca,
    opened: readNetworks(['127.0.0.1']),
    lookup: createLookup({ servers: [server], timeoutMs: patient }),
    dnsCacheMs: 0,
    timeoutMs: patient,
  })
  for (const one of [subscriber, forbidden, sender]) closeAfterTest(() => one.close())
  const ids = { tenantId: 't', subscriptionId: 's', eventId: 'e', deliveryId: 'd' }
  const request = { ...ids, body: Buffer.from('{}'), secrets: [newSecret()], eventType: 'call.ended', attempt: 1 }
  const outcomes: unknown[] = []
  for (let count = 0; count < 6; count++) {
    const result = await sender.send({ ...request, url: `https://rebind.example.com:${subscriber.port}/` })
    outcomes.push(result.kind === 'failed' ? result.error : result.kind === 'answered' ? result.status : result.kind)
  }
  expect(outcomes).toEqual([200, 'blocked_address', 200, 'blocked_address', 200, 'blocked_address'])
  expect([forbidden.connections(), forbidden.bytes()]).toEqual([0, 0])
  expect(subscriber.received).toHaveLength(3)
})
