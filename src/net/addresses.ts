import ipaddr from 'ipaddr.js'

/** A canonical address, and a port. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Block = readonly [Address, number]

const block = (cidr: string): Block => ipaddr.parseCIDR(cidr)

// Globally routable, but never web sites: the 6to4 relay anycast block, and the platform address of a large cloud.
const reservedIPv4 = ['192.88.99.0/24', '168.63.129.16/32'].map(block)

// The only block of IPv6 for global unicast addresses (RFC 4291 §2.4, IANA registry).
const globalIPv6 = block('2000::/3')
// Blocks inside it for IETF protocol assignments (Teredo, ORCHID, benchmarking …), documentation, and AS112.
const reservedIPv6 = ['2001::/23', '2001:db8::/32', '3fff::/20', '2620:4f:8000::/48'].map(block)

const nat64 = block('64:ff9b::/96')
const sixToFour = block('2002::/16')

/**
 * Cache of parsed texts: each request parses the address of its site five times, and a job asks the same site again and
 * again.
 */
const known = new Map<string, Address | null>()
const mostKnown = 1_000
/** Longer than any address, including its zone. */
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
 * Whether an address may be a public web site (R1). An IPv4-mapped address counts as its IPv4 address; NAT64 (RFC 6052) and
 * 6to4 addresses are as global as the address inside. All other transition forms (compatible, SIIT, Teredo, local-use
 * NAT64) are refused, and so is text that is no address.
 */
export function isGlobal(text: string): boolean {
  const address = parse(text)
  if (address === null) return false
  return address.kind() === 'ipv4' ? isGlobalIPv4(address) : isGlobalIPv6(address)
}

/** The canonical spelling of an address, for comparisons; null when the text is no address. */
export function canonicalAddress(text: string): string | null {
  return parse(text)?.toString() ?? null
}

/** Whether an address is in the loopback network. */
export function isLoopback(text: string): boolean {
  return parse(text)?.range() === 'loopback'
}

/** Private endpoints that the operator allows. */
export interface AllowList {
  covers(endpoint: Endpoint): boolean
}

interface Rule {
  readonly block: Block
  readonly port: number | null
}

// `[v6]:port`, `[v6/bits]:port`, `v4:port`, `v4/bits:port`, `v6/bits:port`, each also without the port, and a bare v6
// address.
const entryForms = [
  /^\[(?<ip>[0-9a-f:.]+)(?:\/(?<bits>\d{1,3}))?\](?::(?<port>\d{1,5}))?$/i,
  /^(?<ip>[\d.]+)(?:\/(?<bits>\d{1,2}))?(?::(?<port>\d{1,5}))?$/,
  /^(?<ip>[0-9a-f:.]*:[0-9a-f:.]*)(?:\/(?<bits>\d{1,3})(?::(?<port>\d{1,5}))?)?$/i,
]

/** Whether an address without brackets is also one with a port: `::1:80`. */
function endsLikePort(entry: string): boolean {
  const address = /^(.*):\d{1,5}$/.exec(entry)?.[1]
  return address !== undefined && ipaddr.IPv6.isValid(address)
}

function parseRule(entry: string): Rule | null {
  const parts = entryForms.map((form) => form.exec(entry)?.groups).find((groups) => groups !== undefined)
  if (parts === undefined) return null
  const ip = parts['ip'] ?? ''
  // Only four decimal parts: parsers disagree about `10.1` and `0177.0.0.1`.
  if (!ip.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(ip)) return null
  const raw = ipaddr.isValid(ip) ? ipaddr.parse(ip) : null
  if (raw === null || endsLikePort(entry)) return null
  const port = parts['port'] === undefined ? null : Number(parts['port'])
  if (port !== null && (port < 1 || port > 65_535)) return null
  const width = raw.kind() === 'ipv4' ? 32 : 128
  const bits = parts['bits'] === undefined ? width : Number(parts['bits'])
  if (bits > width) return null
  return { block: narrow(raw, bits), port }
}

/** Converts a block of IPv4-mapped addresses to the IPv4 block, because addresses are compared unmapped. */
function narrow(address: Address, bits: number): Block {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96 ? [address.toIPv4Address(), bits - 96] : [address, bits]
}

/**
 * Parses entries of the forms `ip`, `ip:port`, `[v6]:port` and `cidr[:port]` (R3). Throws a plain `Error` that names the
 * first invalid entry.
 */
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
