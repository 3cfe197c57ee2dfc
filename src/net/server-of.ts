/** Host (without brackets) and port of an http URL. */
export const hostAndPort = (url: URL): { host: string; port: number } => ({ host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 80 : Number(url.port) })
