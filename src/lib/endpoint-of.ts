/** A host without the brackets that an IPv6 address has in a URL. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')

/** A host as it is written before a port: an IPv6 address in brackets. */
export const withBrackets = (host: string): string => (host.includes(':') ? `[${withoutBrackets(host)}]` : host)

/** Host (without the brackets of an IPv6 address) and port of a URL of http or WebSockets. */
export const endpointOf = ({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } => ({
  host: withoutBrackets(hostname),
  port: port === '' ? (protocol === 'https:' || protocol === 'wss:' ? 443 : 80) : Number(port),
})
