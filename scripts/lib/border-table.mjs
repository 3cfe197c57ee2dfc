/** The folders that each folder of `src` may import besides itself. A new folder starts here. */
export const may = {
  lib: [],
  machine: [],
  spec: ['lib'],
  domain: ['lib', 'spec'],
  content: ['lib', 'domain', 'spec'],
  formats: ['lib', 'domain', 'spec', 'content'],
  net: ['lib', 'domain'],
  parsers: ['lib', 'machine', 'domain', 'content'],
  store: ['lib', 'domain', 'net'],
  compute: ['lib', 'domain', 'spec', 'content', 'formats', 'parsers'],
  browser: ['lib', 'machine', 'domain', 'net'],
  llm: ['lib', 'domain', 'net'],
  search: ['lib', 'domain', 'net'],
  extractor: ['lib', 'machine', 'domain', 'net'],
  engines: ['lib', 'domain', 'net', 'browser'],
  sandbox: ['lib', 'machine', 'domain', 'browser'],
  app: ['lib', 'domain', 'spec', 'content', 'formats'],
  http: ['lib', 'domain', 'spec', 'app'],
  worker: ['lib', 'domain', 'app'],
}

/** `main` joins the parts and may import every one of them. */
export const joiner = 'main'

/** Adapters: other folders enter through `index.ts` only. */
export const adapters = ['net', 'store', 'browser', 'engines', 'llm', 'search', 'sandbox', 'parsers', 'compute', 'extractor']

/** Folders without I/O, and the Node modules that they may use. */
export const pure = ['lib', 'spec', 'domain', 'content', 'formats', 'app']
export const harmless = ['buffer', 'url', 'crypto', 'util', 'events', 'string_decoder']

/** Folders that receive clock and randomness from outside, so that tests can set them. */
export const timeless = ['domain', 'content', 'formats', 'app']

/** Modules that open sockets, and the folders that may import them, because the egress guard is there (R1). */
export const sockets = ['http', 'https', 'http2', 'net', 'tls', 'dns', 'dns/promises', 'dgram', 'undici', 'impit', 'ws', 'axios', 'got', 'node-fetch']
export const dialers = ['net', 'browser']
/** Exports of those modules that open no outbound socket: for receiving requests and for classifying addresses. */
export const passive = {
  http: ['IncomingMessage', 'IncomingHttpHeaders', 'OutgoingHttpHeaders', 'ServerResponse', 'Server', 'STATUS_CODES', 'METHODS', 'createServer'],
  net: ['AddressInfo', 'isIP', 'isIPv4', 'isIPv6'],
  ws: ['WebSocketServer'],
}
/** Globals that open sockets. */
export const dialingGlobals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest']

/** Packages that only one folder may import. */
export const confined = [
  { pattern: /^(fastify|@fastify\/.+|fastify-.+)$/, folder: 'http' },
  { pattern: /^(pg|@photostructure\/sqlite|node:sqlite|kysely)$/, folder: 'store' },
]

export const settingsFile = 'src/main/settings/config.ts'

/** Maximum lines of files and functions: the check warns beyond the limit and fails beyond twice the limit. */
export const limits = { file: 300, libFile: 80, function: 50 }
/** Tables may be long. */
export const tables = ['src/spec/errors.ts', 'src/spec/routes.ts', 'src/main/settings/config.ts']
