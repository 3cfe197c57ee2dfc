import { describe, expect, it } from 'vitest'
import { allowList, canonicalAddress, isGlobal } from './addresses.ts'

describe('isGlobal', () => {
  it.each([
    '8.8.8.8', '1.1.1.1', '93.184.216.34', '172.15.255.255', '172.32.0.1', '100.63.255.255', '100.128.0.1', '11.0.0.1', '223.255.255.255',
    '2606:4700:4700::1111', '2a00:1450:4001:81b::200e', '2400:cb00::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1',
  ])('accepts %s', (address) => expect(isGlobal(address)).toBe(true))

  it.each([
    ['this network', '0.0.0.0', '0.1.2.3'],
    ['private use', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['link local and metadata', '169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
    ['platform metadata', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
    ['shared address space', '100.64.0.1', '100.127.255.255'],
    ['protocol assignments', '192.0.0.1', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
    ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
    ['benchmarking', '198.18.0.1', '198.19.255.255', '2001:2::1'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
    ['reserved and broadcast', '240.0.0.1', '255.255.255.254', '255.255.255.255', '4000::1', 'e000::1', '::'],
    ['unique and site local', 'fc00::1', 'fdff::1', 'fec0::1'],
    ['mapped', '::ffff:127.0.0.1', '::ffff:a00:1', '::ffff:169.254.169.254'],
    ['compatible', '::127.0.0.1', '::10.0.0.1', '::7f00:1', '::808:808'],
    ['translated (SIIT)', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
    ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1'],
    ['local-use NAT64', '64:ff9b:1::127.0.0.1', '64:ff9b:1::8.8.8.8', '64:ff9b:1:7f00:0:100::'],
    ['6to4', '2002:7f00:1::1', '2002:a00:1::', '2002:a9fe:a9fe::1'],
    ['Teredo', '2001::1', '2001:0:808:808:0:0:f5ff:fffe'],
    ['discard, segment routing, ORCHID', '100::1', '5f00::1', '2001:10::1', '2001:20::1'],
    ['not addresses', '', 'localhost', '1.2.3.4.5', '256.1.1.1', ':::', '8.8.8.8/8'],
  ])('refuses %s', (_what, ...addresses) => expect(addresses.filter(isGlobal)).toEqual([]))

  it('parses every spelling that a socket would accept', () => {
    expect(['0x7f.1', '0177.0.0.1', '2130706433', '127.1', '0x7f000001', '::ffff:7f00:1'].map(canonicalAddress)).toEqual(Array(6).fill('127.0.0.1'))
  })
})

it('returns the same however many other addresses are checked in between', () => {
  const asked = Array.from({ length: 2_500 }, (_, i) => `${i % 2 === 0 ? 10 : 93}.184.${i >> 8}.${i & 255}`)
  const answers = [...asked, ...asked, 'no address', ...asked].map(isGlobal)
  expect(answers).toEqual([...asked, ...asked, null, ...asked].map((address) => address?.startsWith('93.') === true))
})

describe('allowList', () => {
  const covered = (entry: string, ...endpoints: [string, number][]) =>
    endpoints.map(([address, port]) => allowList([entry]).covers({ address, port }))

  it.each<[string, [string, number][], boolean[]]>([
    ['127.0.0.1:80', [['127.0.0.1', 80], ['127.0.0.1', 81], ['127.0.0.2', 80], ['::ffff:127.0.0.1', 80], ['::1', 80]], [true, false, false, true, false]],
    ['127.0.0.1', [['127.0.0.1', 80], ['127.0.0.1', 65535]], [true, true]],
    ['10.0.0.0/8', [['10.1.2.3', 1], ['11.0.0.0', 1], ['::ffff:10.0.0.1', 9]], [true, false, true]],
    ['10.0.0.0/8:8080', [['10.1.2.3', 8080], ['10.1.2.3', 80]], [true, false]],
    ['[::1]:80', [['::1', 80], ['::1', 81], ['127.0.0.1', 80]], [true, false, false]],
    ['[::1]', [['::1', 5]], [true]],
    ['::1', [['::1', 5]], [true]],
    ['fd00::1:80/128', [['fd00::1:80', 5], ['fd00::1', 80]], [true, false]],
    ['fd00:0:0:0:0:0:1:80', [['fd00::1:80', 5], ['fd00::1', 80]], [true, false]],
    ['fd00::/8', [['fd12::1', 5], ['fe80::1', 5]], [true, false]],
    ['fd00::/8:80', [['fd12::1', 80], ['fd12::1', 81]], [true, false]],
    ['[fd00::/8]:80', [['fd12::1', 80], ['fd12::1', 81]], [true, false]],
    ['::ffff:0:0/96', [['10.9.9.9', 1], ['::ffff:127.0.0.1', 1], ['::1', 1]], [true, true, false]],
    ['::ffff:10.0.0.0/104', [['10.9.9.9', 1], ['11.0.0.1', 1]], [true, false]],
    ['0.0.0.0/0', [['169.254.169.254', 80], ['::1', 80]], [true, false]],
  ])('%s', (entry, endpoints, expected) => expect(covered(entry, ...endpoints)).toEqual(expected))

  it.each([
    '', 'localhost', 'localhost:80', '127.0.0.1:', '127.0.0.1:0', '127.0.0.1:65536', '127.0.0.1:http', '10.0.0.0/33', 'fd00::/129', '10/8', '10.1',
    '0177.0.0.1', '0x7f.0.0.1', '2130706433', '127.0.0.1/8/8', '[127.0.0.1', '*', '127.0.0.1, 127.0.0.2', 'fe80::1%eth0', '300.0.0.1', '::1:80', 'fd00::1:8080', '::ffff:127.0.0.1:80',
  ])('refuses the entry "%s" and names it', (entry) => expect(() => allowList([entry])).toThrow(`"${entry}"`))

  it('covers nothing when empty', () => expect(allowList([]).covers({ address: '127.0.0.1', port: 80 })).toBe(false))
})
