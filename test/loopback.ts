/** Whether a host name or address is this machine, without resolving it. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1')
  return /^127(\.\d{1,3}){3}$/.test(name) || name === '::1' || name === '::ffff:127.0.0.1' || name === 'localhost' || name.endsWith('.localhost') || name === '0.0.0.0' || name === '::' || name === ''
}
