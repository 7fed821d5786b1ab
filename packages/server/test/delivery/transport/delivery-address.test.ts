// Which addresses and URLs a webhook may go to: a table of every trick known here, and properties over random
// addresses.

import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { isAllowedAddress, judgeUrl, readNetworks } from '../../../src/delivery/transport/address-policy.js'

const allowedAddresses = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
]
const allowedAddressesV6 = [
  '2606:4700:4700::1111',
  '2a00:1450:4001:80e::200e',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2003::1',
  '3ffe::1',
]

const forbiddenAddresses: Record<string, readonly string[]> = {
  'this network': ['0.0.0.0', '0.1.2.3', '0.255.255.255'],
  loopback: ['127.0.0.1', '127.0.0.0', '127.1.2.3', '127.255.255.255', '::1'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  metadata: [
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
  ],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  reserved: ['192.0.0.1', '192.88.99.1', '240.0.0.1', '254.1.2.3', '100::1', '5f00::1', '4000::1', 'e000::1', '1::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  unspecified: ['::'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a00:1', '::ffff:0:127.0.0.1'],
  'IPv4-compatible': ['::127.0.0.1', '::8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::1'],
  '6to4': ['2002:7f00:1::', '2002:0a00:0001::1', '2002:808:808::1'],
  Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001::1'],
  ORCHID: ['2001:10::1', '2001:20::1', '2001:30::1'],
  'unique local': ['fc00::1', 'fd12:3456:789a::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'not a plain address': [
    '',
    'localhost',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '8.8.8.8.',
    '[::1]',
    '8.8.8.8/32',
    '2001:db8::1/32',
    ' 8.8.8.8',
  ],
}

test.each([...allowedAddresses, ...allowedAddressesV6])('%s is allowed', (address) => {
  expect(isAllowedAddress(address, [])).toBe(true)
})

describe.each(Object.entries(forbiddenAddresses))('%s', (_kind, addresses) => {
  test.each(addresses)('%j is refused', (address) => {
    expect(isAllowedAddress(address, [])).toBe(false)
  })
})

describe('opened networks', () => {
  test('open exactly what they name', () => {
    const opened = readNetworks(['127.0.0.0/8', '10.1.2.3', 'fd00:1::/32'])
    expect(
      ['127.0.0.1', '127.9.9.9', '10.1.2.3', 'fd00:1::5', '8.8.8.8'].map((address) =>
        isAllowedAddress(address, opened),
      ),
    ).toEqual([true, true, true, true, true])
    expect(
      ['10.1.2.4', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', 'fd00:2::5', '169.254.169.254'].map((address) =>
        isAllowedAddress(address, opened),
      ),
    ).toEqual(Array.from({ length: 6 }, () => false))
  })

  test('a mapped address needs its own network', () => {
    expect(isAllowedAddress('::ffff:127.0.0.1', readNetworks(['::ffff:127.0.0.0/104']))).toBe(true)
  })

  test.each(['nonsense', '10.0.0.0/33', '10.0.0.0/', '::/129'])('%j is not a network', (cidr) => {
    expect(() => readNetworks([cidr])).toThrow()
  })
})

describe('properties', () => {
  const v4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((octets) => octets.join('.'))
  const anyV6 = fc.ipV6().map((address) => ipaddr.IPv6.parse(address).toString())

  test('no address inside a forbidden network is ever allowed', () => {
    const networks = [
      '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15',
      '198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ::/8 100::/64 64:ff9b::/96 64:ff9b:1::/48 2001::/23 2001:db8::/32 2002::/16',
      '3fff::/20 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
    ].flatMap((line) => line.split(' '))
    const inside = fc
      .tuple(fc.constantFrom(...networks), fc.uint8Array({ minLength: 16, maxLength: 16 }))
      .map(([cidr, noise]) => {
        const [network, bits] = ipaddr.parseCIDR(cidr)
        const bytes = network.toByteArray().map((byte, index) => {
          const mask = 0xff >> Math.min(8, Math.max(0, bits - index * 8))
          return (byte & ~mask) | ((noise[index] ?? 0) & mask)
        })
        return ipaddr.fromByteArray(bytes).toString()
      })
    fc.assert(
      fc.property(inside, (address) => {
        expect(isAllowedAddress(address, [])).toBe(false)
      }),
      { numRuns: 5_000 },
    )
  })

  test('an IPv6 address outside 2000::/3 is never allowed', () => {
    fc.assert(
      fc.property(anyV6, (address) => {
        if (isAllowedAddress(address, [])) expect(address).toMatch(/^[23][0-9a-f]{3}:/)
      }),
      { numRuns: 5_000 },
    )
  })

  test('no way of carrying an IPv4 address in IPv6 is allowed', () => {
    fc.assert(
      fc.property(v4, (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const carrier of [
          `::ffff:${hex}`,
          `::${hex}`,
          `::ffff:0:${hex}`,
          `64:ff9b::${hex}`,
          `64:ff9b:1::${hex}`,
          `2002:${hex}::1`,
          `2001::${hex}`,
        ]) {
          expect(isAllowedAddress(carrier, [])).toBe(false)
        }
      }),
    )
  })

  test('a URL with an IPv4 address is judged the same in every spelling', () => {
    fc.assert(
      fc.property(v4, (address) => {
        const octets = address.split('.').map(Number)
        const number = octets.reduce((sum, octet) => sum * 256 + octet, 0)
        const expected = isAllowedAddress(address, []) ? 'accepted' : 'refused'
        const spellings = [
          address,
          `${address}.`,
          String(number),
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          octets.map((octet) => `0x${octet.toString(16)}`).join('.'),
          octets.map((octet) => `0${octet.toString(8)}`).join('.'),
          `${octets[0]}.${number % 2 ** 24}`,
          `${octets[0]}.${octets[1]}.${number % 2 ** 16}`,
        ]
        for (const host of spellings) expect([host, judgeUrl(`https://${host}/`, []).kind]).toEqual([host, expected])
      }),
    )
  })
})

describe('the URL of a subscription', () => {
  test.each([
    'https://example.com',
    'https://example.com/hooks?a=b&c=d',
    'https://example.com:8443/hooks',
    'https://example.com./hooks',
    'https://bücher.example/hooks',
    'https://xn--bcher-kva.example/hooks',
    'HTTPS://EXAMPLE.COM/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://example.com/a@b',
    'https://example.com/?mail=a@b',
    'https://localhost.example.com/',
    'https://notlocalhost/',
    `https://example.com/${'a'.repeat(2_048 - 20)}`,
  ])('%s is accepted', (text) => {
    expect(judgeUrl(text, [])).toMatchObject({ kind: 'accepted' })
  })

  test('a name with other letters is accepted for the ten-thousandth time as well', () => {
    const judged = Array.from({ length: 10_000 }, () => judgeUrl('https://bücher.example/hooks', []).kind)
    expect(new Set(judged)).toEqual(new Set(['accepted']))
  })

  test.each([
    ['', /valid URL/],
    ['example.com', /valid URL/],
    ['https://', /valid URL/],
    ['https://./', /host name/],
    ['https://a..b/', /host name/],
    ['https://256.256.256.256/', /valid URL/],
    ['http://example.com/', /https/],
    ['ftp://example.com/', /https/],
    ['file:///etc/passwd', /https/],
    ['javascript:alert(1)', /https/],
    ['https://user@example.com/', /user name/],
    ['https://user:secret@example.com/', /user name/],
    ['https://:@example.com/', /user name/],
    ['https://@example.com/', /user name/],
    ['https:user@example.com/', /user name/],
    ['https://example.com/#part', /fragment/],
    ['https://example.com/#', /fragment/],
    ['https://example.com:0/', /port 0/],
    ['https://exa mple.com/', /spaces/],
    [' https://example.com/', /spaces/],
    ['https://exam\nple.com/', /spaces/],
    ['https://exam\tple.com/', /spaces/],
    ['https://example.com\\@127.0.0.1/', /backslashes/],
    [`https://example.com/${'a'.repeat(2_048 - 19)}`, /2048/],
  ])('%j is refused with %s', (text, message) => {
    expect(judgeUrl(text, [])).toEqual({ kind: 'refused', message: expect.stringMatching(message) })
  })

  const forbiddenHosts = [
    '127.0.0.1 2130706433 0x7f000001 0x7F.1 017700000001 0177.0.0.1 127.1 127.0.1 127.0.0.1. 127.0.0.1.. 0 0.0.0.0 0x 0x0',
    '%31%32%37.0.0.1 １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 10.0.0.1 169.254.169.254 0xa9fea9fe 2852039166 100.100.100.200 168.63.129.16',
    '[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:8.8.8.8] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [2001::1] [fe80::1] [fd00::1]',
    'localhost LOCALHOST localhost. localhost.. a.localhost a.b.localhost. ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loc\u00adalhost',
  ].flatMap((line) => line.split(' '))
  test.each(forbiddenHosts)('the host %s is refused', (host) => {
    for (const text of [`https://${host}/`, `https://${host}:8443/hooks?x=1`]) {
      expect(judgeUrl(text, [])).toEqual({ kind: 'refused', message: expect.stringMatching(/not a public address/) })
    }
  })

  test.each(['[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1', '1.2.3.4.5', '0x100000000'])(
    'the host %s is no host at all',
    (host) => {
      expect(judgeUrl(`https://${host}/`, readNetworks(['0.0.0.0/0', '::/0']))).toEqual({
        kind: 'refused',
        message: expect.stringMatching(/valid URL/),
      })
    },
  )

  test('an opened network opens its literal addresses, and loopback opens localhost', () => {
    const opened = readNetworks(['127.0.0.0/8'])
    for (const host of ['127.0.0.1', '0x7f.1', 'localhost', 'hooks.localhost'])
      expect(judgeUrl(`https://${host}:8443/`, opened)).toMatchObject({ kind: 'accepted' })
    for (const host of ['10.0.0.1', '[::1]'])
      expect(judgeUrl(`https://${host}/`, opened)).toMatchObject({ kind: 'refused' })
  })

  test('the message never repeats a password', () => {
    expect(JSON.stringify(judgeUrl('https://user:hunter2@example.com/', []))).not.toContain('hunter2')
  })
})
