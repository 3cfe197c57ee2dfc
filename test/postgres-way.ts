/** A way to a Postgres server that fails on demand: it sees each statement, and may lose it, or its answer. */
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const portName = '.s.PGSQL.5432'

/** What happens to a statement; undefined: it passes. */
export type WayFault =
  /** The connection breaks before the server hears of it. */
  | 'lost'
  /** The server has answered, and the connection breaks before the answer arrives. */
  | 'answer-lost'
  /** Nothing passes any more, and neither end is told. */
  | 'silent'
  | undefined

/** A way to the server at a URL. */
export interface PostgresWay {
  /** The URL of the same database, by this way. */
  readonly url: string
  /** Called with the text of each statement. */
  fault: (statement: string) => WayFault
  close(): Promise<void>
}

/** Splits a stream into messages; `first` says that the first one has no type. */
function messages(say: (kind: string, whole: Buffer) => void, first: boolean): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let untyped = first
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const head = untyped ? 0 : 1
      if (rest.length < head + 4) return
      const size = head + rest.readInt32BE(head)
      if (rest.length < size) return
      say(untyped ? '' : String.fromCharCode(rest[0] ?? 0), rest.subarray(0, size))
      untyped = false
      rest = rest.subarray(size)
    }
  }
}

const textFrom = (message: Buffer, at: number): string => message.toString('utf8', at, message.indexOf(0, at))

function textOf(kind: string, message: Buffer): string {
  if (kind === 'Q') return textFrom(message, 5)
  // The name of the prepared statement comes first.
  return kind === 'P' ? textFrom(message, message.indexOf(0, 5) + 1) : ''
}

function relay(client: Socket, path: string, way: Pick<PostgresWay, 'fault'>): void {
  const server = connect(path)
  let fault: WayFault
  let statement = ''
  let silent = false
  let held: Buffer[] = []
  let answer: Buffer[] = []
  const end = (): void => {
    client.destroy()
    server.destroy()
  }
  for (const socket of [client, server]) socket.on('error', end).on('close', end)
  client.on('data', messages((kind, message) => {
    if (silent) return
    if (kind === 'Q' || kind === 'P') statement = textOf(kind, message)
    held.push(message)
    if (kind !== '' && kind !== 'Q' && kind !== 'S' && kind !== 'X') return
    fault = kind === 'Q' || kind === 'S' ? way.fault(statement) : undefined
    const forth = Buffer.concat(held)
    held = []
    if (fault === 'lost') return end()
    if (fault === 'silent') return void (silent = true)
    server.write(forth)
  }, true))
  server.on('data', messages((kind, message) => {
    if (silent) return
    answer.push(message)
    if (fault === undefined) {
      client.write(Buffer.concat(answer))
      answer = []
    } else if (kind === 'Z') end()
  }, false))
}

/** Starts a way to the database at this URL, whose server listens on a Unix socket. */
export async function postgresWay(url: string): Promise<PostgresWay> {
  const target = new URL(url)
  const path = join(target.searchParams.get('host') ?? '', portName)
  const folder = await mkdtemp(join(tmpdir(), 'trawl-pg-way-'))
  target.searchParams.set('host', folder)
  const clients = new Set<Socket>()
  const way: PostgresWay = {
    url: target.href,
    fault: () => undefined,
    close: async () => {
      for (const socket of clients) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
  const listener = createServer((client) => {
    clients.add(client)
    client.once('close', () => clients.delete(client))
    relay(client, path, way)
  })
  await new Promise<void>((resolve) => listener.listen(join(folder, portName), resolve))
  return way
}
