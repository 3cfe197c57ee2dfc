import ipaddr from 'ipaddr.js'

/** An address and a port, the address in canonical form. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Block = readonly [Address, number]

const block = (cidr: string): Block => ipaddr.parseCIDR(cidr)

// Routable by number, yet never a web site: the 6to4 relay anycast block and the platform address of one large cloud.
const reservedIPv4 = ['192.88.99.0/24', '168.63.129.16/32'].map(block)

// The one block of IPv6 from which global unicast addresses are given out (RFC 4291 §2.4, IANA registry).
const globalIPv6 = block('2000::/3')
// Inside it: IETF protocol assignments (Teredo, ORCHID, benchmarking …), documentation, AS112.
const reservedIPv6 = ['2001::/23', '2001:db8::/32', '3fff::/20', '2620:4f:8000::/48'].map(block)

const nat64 = block('64:ff9b::/96')
const sixToFour = block('2002::/16')

/** Texts read lately, and what they mean: each request asks five times for the address of a site that a job asks again and again. */
const known = new Map<string, Address | null>()
const mostKnown = 1_000
/** Longer than any address, zone included. */
const longest = 64

function parse(text: string): Address | null {
  const before = known.get(text)
  if (before !== undefined) return before
  const address = ipaddr.isValid(text) ? ipaddr.process(text) : null
  if (text.length > longest) return address
  if (known.size >= mostKnown) known.clear()
  known.set(text, address)
  return address
}

function inside(address: Address, [base, bits]: Block): boolean {
  return address.kind() === base.kind() && address.match(base, bits)
}

function isGlobalIPv4(address: Address): boolean {
  return address.range() === 'unicast' && !reservedIPv4.some((b) => inside(address, b))
}

function embedded(address: Address, offset: number): Address {
  return new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4))
}

function isGlobalIPv6(address: Address): boolean {
  if (inside(address, nat64)) return isGlobalIPv4(embedded(address, 12))
  if (inside(address, sixToFour)) return isGlobalIPv4(embedded(address, 2))
  return inside(address, globalIPv6) && !reservedIPv6.some((b) => inside(address, b))
}

/**
 * Whether an address may be a public web site (R1). IPv4-mapped addresses count as the IPv4 address they carry; NAT64 (RFC 6052) and
 * 6to4 are as global as what they wrap; all other transition forms (compatible, SIIT, Teredo, local-use NAT64) are refused whole.
 * What does not parse is not global.
 */
export function isGlobal(text: string): boolean {
  const address = parse(text)
  if (address === null) return false
  return address.kind() === 'ipv4' ? isGlobalIPv4(address) : isGlobalIPv6(address)
}

/** The one spelling of an address by which addresses are compared; null when the text is none. */
export function canonicalAddress(text: string): string | null {
  return parse(text)?.toString() ?? null
}

/** Whether the address is of this machine's loopback network. */
export function isLoopback(text: string): boolean {
  return parse(text)?.range() === 'loopback'
}

/** Private endpoints that the operator has opened. */
export interface AllowList {
  covers(endpoint: Endpoint): boolean
}

interface Rule {
  readonly block: Block
  readonly port: number | null
}

// `[v6]:port`, `[v6/bits]:port`, `v4:port`, `v4/bits:port`, `v6/bits:port`, each also without the port, and a bare v6 address.
const entryForms = [
  /^\[(?<ip>[0-9a-f:.]+)(?:\/(?<bits>\d{1,3}))?\](?::(?<port>\d{1,5}))?$/i,
  /^(?<ip>[\d.]+)(?:\/(?<bits>\d{1,2}))?(?::(?<port>\d{1,5}))?$/,
  /^(?<ip>[0-9a-f:.]*:[0-9a-f:.]*)(?:\/(?<bits>\d{1,3})(?::(?<port>\d{1,5}))?)?$/i,
]

function parseRule(entry: string): Rule | null {
  const parts = entryForms.map((form) => form.exec(entry)?.groups).find((groups) => groups !== undefined)
  if (parts === undefined) return null
  const ip = parts['ip'] ?? ''
  // Four decimal parts only: `10.1` and `0177.0.0.1` mean different things to different readers.
  if (!ip.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(ip)) return null
  const raw = ipaddr.isValid(ip) ? ipaddr.parse(ip) : null
  if (raw === null) return null
  const port = parts['port'] === undefined ? null : Number(parts['port'])
  if (port !== null && (port < 1 || port > 65_535)) return null
  const width = raw.kind() === 'ipv4' ? 32 : 128
  const bits = parts['bits'] === undefined ? width : Number(parts['bits'])
  if (bits > width) return null
  return { block: narrow(raw, bits), port }
}

/** A block of mapped addresses is written as the IPv4 block it means, because addresses are compared unwrapped. */
function narrow(address: Address, bits: number): Block {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96 ? [address.toIPv4Address(), bits - 96] : [address, bits]
}

/** Reads entries of the forms `ip`, `ip:port`, `[v6]:port` and `cidr[:port]` (R3). Throws a plain `Error` naming the entry that is none. */
export function allowList(entries: readonly string[]): AllowList {
  const rules = entries.map((entry) => {
    const rule = parseRule(entry.trim())
    if (rule === null) throw new Error(`"${entry}" is not of the form ip:port, [ipv6]:port or cidr[:port]`)
    return rule
  })
  return {
    covers({ address, port }) {
      const parsed = parse(address)
      return parsed !== null && rules.some((rule) => (rule.port === null || rule.port === port) && inside(parsed, rule.block))
    },
  }
}
