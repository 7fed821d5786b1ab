// A DNS server for tests: real UDP on loopback, answering A and AAAA questions as the test says.

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import ipaddr from 'ipaddr.js'

export interface DnsServer {
  /** As a resolver takes it. */
  server: string
  questions: string[]
  close(): Promise<void>
}

/**
 * The addresses of a name; those of the family that was asked for are sent. Undefined: the server stays silent. Empty:
 * there is no such name. A promise: it answers when that is known.
 */
export type Zone = (name: string) => readonly string[] | undefined | Promise<readonly string[]>

const typeA = 1
const typeAaaa = 28

export async function startDns(zone: Zone): Promise<DnsServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message)
    questions.push(`${type === typeA ? 'A' : 'AAAA'} ${name}`)
    const answer = (addresses: readonly string[]) =>
      socket.send(reply(message.subarray(0, end), type, addresses), from.port, from.address)
    const known = zone(name)
    if (known instanceof Promise) void known.then(answer)
    else if (known !== undefined) answer(known)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** RFC 1035: the header and question come back, then one record for each address, with a lifetime of 0 seconds. */
function reply(question: Buffer, type: number, addresses: readonly string[]): Buffer {
  const records = addresses
    .map((address) => ipaddr.parse(address))
    .filter((address) => (address.kind() === 'ipv4') === (type === typeA) && (type === typeA || type === typeAaaa))
    .map((address) => {
      const data = Buffer.from(address.toByteArray())
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
      return Buffer.concat([head, data])
    })
  const head = Buffer.from(question)
  head.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2) // An answer; name error when there is no such name.
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records])
}
