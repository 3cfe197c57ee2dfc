/** Host (without the brackets of an IPv6 address) and port of a URL of http or WebSockets. */
export const endpointOf = ({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? (protocol === 'https:' || protocol === 'wss:' ? 443 : 80) : Number(port),
})
