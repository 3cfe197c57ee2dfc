/**
 * Sessions of a Postgres server that outlive their clients, as of a pooler in session mode: a client that leaves hands its session on, wiped by
 * the server. To start a process for a session costs more than most tests do with it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const portName = '.s.PGSQL.5432'
const terminate = 'X'
const ready = 'Z'
/** Of these each is answered by one `ready`. */
const answered: ReadonlySet<string> = new Set(['Q', 'S'])

/** A place to connect to in place of the server. */
export interface Sessions {
  /** The URL of a database by way of this place. */
  through(url: string): string
  close(): Promise<void>
}

/** A connection to the server that has let in a client. */
interface Session {
  readonly socket: Socket
  /** What the server said when it let it in. */
  readonly welcome: readonly Buffer[]
  /** Hears each message, with its kind. */
  hear: (kind: string, message: Buffer) => void
  /** Hears that the server has ended it. */
  gone: () => void
  /** Who has it. */
  client?: Socket | undefined
}

/** Opens such a place before the server of this URL, which is reached over a socket in a folder. */
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
    session.client = undefined
    session.hear = (kind) => {
      if (kind !== ready) return
      session.hear = () => undefined
      const name = hello.toString('latin1')
      idle.set(name, [...(idle.get(name) ?? []), session])
    }
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

/** Gives a client a session until it leaves; one that leaves in the middle of something takes its session with it. */
function serve(client: Socket, take: (hello: Buffer) => Promise<Session>, leave: (session: Session, hello: Buffer) => void): void {
  let session: Session | undefined
  let unanswered = 0
  let inTransaction = false
  let hello: Buffer | undefined
  const begin = async (first: Buffer): Promise<void> => {
    hello = first
    session = await take(first)
    if (client.destroyed) return end()
    session.hear = (kind, message) => {
      if (kind === ready) {
        unanswered--
        inTransaction = message.at(5) !== 'I'.charCodeAt(0)
      }
      client.write(message)
    }
    session.gone = () => client.destroy()
    session.client = client
    for (const message of session.welcome) client.write(message)
  }
  const end = (): void => {
    if (session === undefined || hello === undefined) return
    if (unanswered === 0 && !inTransaction) leave(session, hello)
    else session.socket.destroy()
    session = undefined
  }
  const read = framed((kind, message) => {
    // A client says nothing more before it has been let in.
    if (kind === '') return void begin(message).catch(() => client.destroy())
    if (kind === terminate) return end()
    if (answered.has(kind)) unanswered++
    session?.socket.write(message)
  }, true)
  client.on('data', (chunk) => atOnce(session?.socket, () => read(chunk)))
  client.once('close', end)
}

/** Connects as this first message asks; rejects where the server refuses. */
function letIn(path: string, hello: Buffer): Promise<Session> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const welcome: Buffer[] = []
    const session: Session = { socket, welcome, gone: () => undefined, hear: (kind, message) => {
      welcome.push(message)
      if (kind === ready) resolve(session)
    } }
    socket.on('error', reject)
    socket.once('close', () => reject(new Error('The server let nobody in.')))
    const read = framed((kind, message) => session.hear(kind, message))
    socket.on('data', (chunk: Buffer) => atOnce(session.client, () => read(chunk)))
    socket.write(hello)
  })
}

/** What is written to it meanwhile goes out in one piece: one by one the messages of an answer would cost more than the answer. */
function atOnce(socket: Socket | undefined, write: () => void): void {
  socket?.cork()
  write()
  socket?.uncork()
}

function query(text: string): Buffer {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.from('Q\0\0\0\0', 'latin1')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Takes bytes as they come and hands on whole messages; the first of a client has no kind. */
function framed(hand: (kind: string, message: Buffer) => void, untyped = false): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  let typed = untyped ? 0 : 1
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length >= typed + 4) {
      const size = typed + held.readInt32BE(typed)
      if (held.length < size) return
      const message = held.subarray(0, size)
      held = held.subarray(size)
      const kind = typed === 0 ? '' : String.fromCharCode(message[0] ?? 0)
      typed = 1
      hand(kind, message)
    }
  }
}
