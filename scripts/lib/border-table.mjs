/** A folder of `src` may import itself and the folders listed. A new folder starts here. */
export const may = {
  lib: [],
  spec: ['lib'],
  domain: ['lib', 'spec'],
  content: ['lib', 'domain', 'spec'],
  formats: ['lib', 'domain', 'spec', 'content'],
  net: ['lib', 'domain'],
  parsers: ['lib', 'domain', 'content'],
  store: ['lib', 'domain', 'net'],
  compute: ['lib', 'domain', 'spec', 'content', 'formats', 'parsers'],
  browser: ['lib', 'domain', 'net'],
  llm: ['lib', 'domain', 'net'],
  search: ['lib', 'domain', 'net'],
  extractor: ['lib', 'domain', 'net'],
  engines: ['lib', 'domain', 'net', 'browser'],
  sandbox: ['lib', 'domain', 'browser'],
  app: ['lib', 'domain', 'spec', 'content', 'formats'],
  http: ['lib', 'domain', 'spec', 'app'],
  worker: ['lib', 'domain', 'app'],
}

/** `main` joins the parts, so it may import every one of them. */
export const joiner = 'main'

/** Adapters: other folders enter through `index.ts` only. */
export const adapters = ['net', 'store', 'browser', 'engines', 'llm', 'search', 'sandbox', 'parsers', 'compute', 'extractor']

/** Folders that do no I/O, and the parts of Node that are not I/O. */
export const pure = ['lib', 'spec', 'domain', 'content', 'formats', 'app']
export const harmless = ['buffer', 'url', 'crypto', 'util', 'events']

/** Folders that get time and chance from outside, so that tests can set them. */
export const timeless = ['domain', 'content', 'formats', 'app']

/** Modules that open sockets, and who may: the address guard stands there (R1). */
export const sockets = ['http', 'https', 'http2', 'net', 'tls', 'dns', 'dns/promises', 'dgram', 'undici', 'impit', 'ws', 'axios', 'got', 'node-fetch']
export const dialers = ['net', 'browser']
/** Names of those modules that open nothing outward: receiving requests, and asking what an address is. */
export const passive = {
  http: ['IncomingMessage', 'IncomingHttpHeaders', 'OutgoingHttpHeaders', 'ServerResponse', 'Server', 'STATUS_CODES', 'METHODS', 'createServer'],
  net: ['AddressInfo', 'isIP', 'isIPv4', 'isIPv6'],
  ws: ['WebSocketServer'],
}
/** Globals that open sockets. */
export const dialingGlobals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']

/** Packages that one folder alone knows. */
export const confined = [
  { pattern: /^(fastify|@fastify\/.+|fastify-.+)$/, folder: 'http' },
  { pattern: /^(pg|@photostructure\/sqlite|node:sqlite|kysely)$/, folder: 'store' },
]

export const settingsFile = 'src/main/config.ts'

/** Lines at which a file or function is too long: a warning at the limit, a failure at the double. */
export const limits = { file: 300, libFile: 80, function: 50 }
/** Tables may be long. */
export const tables = ['src/spec/errors.ts', 'src/spec/routes.ts', 'src/main/config.ts']
