/**
 * A pooler in session mode: Postgres sessions outlive their clients. A session is reset with `DISCARD ALL` when its
 * client leaves, then reused. Starting a server process for each session would take longer than most tests.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const portName = '.s.PGSQL.5432'
const terminate = 'X'
const farewellBytes = 5
const ready = 'Z'
/** The server answers each of these messages with one `ready`. */
const answered: ReadonlySet<string> = new Set(['Q', 'S'])

/** A pooler in front of a Postgres server. */
export interface Sessions {
  /** The URL of a database, changed to connect through the pooler. */
  through(url: string): string
  close(): Promise<void>
}

/** A server connection with an authenticated session. */
interface Session {
  readonly socket: Socket
  /** The messages that the server sent on connecting. */
  readonly welcome: readonly Buffer[]
  /** Receives the bytes from the server. */
  hear: (chunk: Buffer) => void
  /** Called when the server closes the connection. */
  gone: () => void
}

/** Starts a pooler in front of the server at this URL, which listens on a Unix socket. */
export async function postgresSessions(url: string): Promise<Sessions> {
  const serverFolder = new URL(url).searchParams.get('host') ?? ''
  const folder = await mkdtemp(join(tmpdir(), 'trawl-pg-sessions-'))
  const all = new Set<Socket>()
  const idle = new Map<string, Session[]>()
  const take = async (hello: Buffer): Promise<Session> => {
    const kept = idle.get(hello.toString('latin1'))?.pop()
    if (kept !== undefined) return kept
    const session = await letIn(join(serverFolder, portName), hello)
    all.add(session.socket)
    session.socket.once('close', () => {
      all.delete(session.socket)
      const rest = idle.get(hello.toString('latin1'))?.filter((other) => other !== session)
      if (rest !== undefined) idle.set(hello.toString('latin1'), rest)
      session.gone()
    })
    return session
  }
  const leave = (session: Session, hello: Buffer): void => {
    session.gone = () => undefined
    session.hear = heads((kind) => {
      if (kind !== ready) return
      session.hear = () => undefined
      const name = hello.toString('latin1')
      idle.set(name, [...(idle.get(name) ?? []), session])
    })
    session.socket.write(query('discard all'))
  }
  const server = createServer((client) => {
    all.add(client)
    client.once('close', () => all.delete(client))
    client.on('error', () => undefined)
    serve(client, take, leave)
  })
  await new Promise<void>((resolve) => server.listen(join(folder, portName), resolve))
  return {
    through: (url) => {
      const way = new URL(url)
      way.searchParams.set('host', folder)
      return way.href
    },
    close: async () => {
      for (const socket of all) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Connects a client to a session until it leaves. A client that leaves in the middle of a query or transaction takes
 * its session with it.
 */
function serve(client: Socket, take: (hello: Buffer) => Promise<Session>, leave: (session: Session, hello: Buffer) => void): void {
  let session: Session | undefined
  let unanswered = 0
  let inTransaction = false
  let hello: Buffer | undefined
  const begin = async (first: Buffer): Promise<void> => {
    hello = first
    session = await take(first)
    if (client.destroyed) return end()
    const read = heads((kind, state) => {
      if (kind !== ready) return
      unanswered--
      inTransaction = state !== 'I'
    })
    session.hear = (chunk) => {
      client.write(chunk)
      read(chunk)
    }
    session.gone = () => client.destroy()
    client.write(Buffer.concat(session.welcome))
  }
  const end = (): void => {
    if (session === undefined || hello === undefined) return
    if (unanswered === 0 && !inTransaction) leave(session, hello)
    else session.socket.destroy()
    session = undefined
  }
  let leaving = false
  const read = heads((kind) => {
    if (kind === terminate) leaving = true
    else if (answered.has(kind)) unanswered++
  })
  client.on('data', (chunk: Buffer) => {
    // A client sends nothing more before the server answers, and its first message arrives in one piece.
    if (hello === undefined) return void begin(chunk).catch(() => client.destroy())
    read(chunk)
    const forth = leaving ? chunk.subarray(0, -farewellBytes) : chunk
    if (forth.length > 0) session?.socket.write(forth)
    if (!leaving) return
    // The server has already received part of the farewell message.
    if (chunk.length < farewellBytes) session?.socket.destroy()
    end()
  })
  client.once('close', end)
}

/** Opens a session with this startup message; rejects when the server refuses it. */
function letIn(path: string, hello: Buffer): Promise<Session> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const welcome: Buffer[] = []
    const read = heads((kind) => void (kind === ready && resolve(session)))
    const session: Session = { socket, welcome, gone: () => undefined, hear: (chunk) => {
      welcome.push(chunk)
      read(chunk)
    } }
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('The server let nobody in.')))
    socket.on('data', (chunk: Buffer) => session.hear(chunk))
    socket.write(hello)
  })
}

function query(text: string): Buffer {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.from('Q\0\0\0\0', 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const headBytes = 6

/**
 * Parses a stream of bytes and calls `say` with the type of each message and the first character of its content. It
 * does not split the stream into messages: that would cost more than the answers do.
 */
function heads(say: (kind: string, first: string) => void): (chunk: Buffer) => void {
  const head = Buffer.alloc(headBytes)
  let known = 0
  let left = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const wanted = left > 0 ? left : known < 5 ? 5 - known : 1
      const taken = Math.min(wanted, chunk.length - at)
      if (left === 0) {
        chunk.copy(head, known, at, at + taken)
        known += taken
      } else left -= taken
      at += taken
      if (left > 0) continue
      const size = known < 5 ? Number.POSITIVE_INFINITY : head.readInt32BE(1) + 1
      if (known < Math.min(size, headBytes)) continue
      if (known > 0) {
        say(String.fromCharCode(head[0] ?? 0), size > 5 ? String.fromCharCode(head[5] ?? 0) : '')
        left = size - known
        known = 0
      }
    }
  }
}
