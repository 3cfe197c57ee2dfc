import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import type { CdpChannel } from '../domain/sessions/sandbox.ts'
import { jsonShape } from '../lib/json-shape.ts'
import { withPipes } from '../lib/with-pipes.ts'
import { noneBut } from './descriptors.ts'
import { type Line, line } from './lines.ts'
import { cutMark, type Output, output } from './output.ts'
import type { Watch } from './watch.ts'
import { filterDescriptor } from './walls.ts'

/** How a confined process is started. */
export interface CellPlan {
  readonly command: readonly string[]
  /** The filter of system calls; null when the process is not confined by one. */
  readonly filter: Buffer | null
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** How a process ended. */
export interface End {
  readonly code: number | null
  /** The reason when we ended it for something that it did; otherwise null. */
  readonly why: string | null
}

/** A confined process with a line to us and a line to its browser. */
export interface Cell {
  readonly pid: number
  readonly stdout: Output
  readonly stderr: Output
  /** Gives it the line to its browser, once, and the id of the page to begin with; it does nothing before. */
  connect(channel: CdpChannel, page: string | null): void
  /** Sends an order to the interpreter. */
  order(value: object): void
  /** Listens for the next answer of the interpreter; null removes the listener. */
  onAnswer(listener: ((answer: unknown) => void) | null): void
  readonly ended: Promise<End>
  /** Whether it was ended but is not gone yet. */
  dying(): boolean
  /** Ends all its processes at once. */
  kill(why: string | null): void
}

const MB = 1024 ** 2
/** Limit for each stream of each run. */
export const outputBytes = MB
/** A cut result, with the mark that says so. */
export const cutResult = (text: string): string => text + cutMark(outputBytes)
const outputs = { limit: outputBytes, flood: 64 * MB }
const longestAnswer = 4 * MB
// The interpreter itself sends one answer to each order; code that writes to its line may add some, but not keep us reading.
const perOrder = { texts: 1_000, bytes: 64 * MB }
// A screenshot of the largest size, in base64.
const longestMessage = 64 * MB
const mostUnread = 128 * MB
// A regular driver stays far below; faster senders have to wait.
const perTick = { messages: 1_000, bytes: 16 * MB }
const tickMs = 100

/** An answer of the interpreter has a handful of values; millions of them, from code that speaks in its place, would hold up everybody else. */
const mostValues = 100

const parsed = (text: string): unknown => {
  if (jsonShape(Buffer.from(text)).values > mostValues) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Passes messages between the process and its browser, towards the browser at most at a fixed pace. */
function bridge(socket: Duplex, channel: CdpChannel, kill: (why: string) => void): () => void {
  let messages = 0
  let bytes = 0
  let timer: NodeJS.Timeout | null = null
  const own: Line = line(socket, {
    longest: longestMessage,
    onTooLong: () => kill('It sent the browser a message that is too long.'),
    onText(text) {
      channel.send(text)
      messages++
      bytes += text.length
      timer ??= setTimeout(() => {
        timer = null
        messages = 0
        bytes = 0
        own.hear(true)
      }, tickMs)
      if (messages >= perTick.messages || bytes >= perTick.bytes) own.hear(false)
    },
  })
  channel.onMessage((text) => {
    own.send(text)
    if (own.waiting() > mostUnread) kill('It did not read what the browser said.')
  })
  void channel.closed.then(() => socket.end())
  socket.on('close', () => channel.close())
  return () => {
    if (timer !== null) clearTimeout(timer)
    channel.onMessage(null)
    channel.close()
  }
}

/** The additional file descriptors of a confined process. */
const controlDescriptor = 3
const browserDescriptor = 4

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already, as wanted.
  }
}

/** Passes the filter of system calls to a starting process. */
export function giveFilter(child: ChildProcess, filter: Buffer | null): void {
  const way = (child.stdio as readonly unknown[])[filterDescriptor] as Duplex // there are as many as were asked for, and this one is a pipe
  way.on('error', () => undefined)
  way.end(filter ?? undefined)
}

/**
 * Starts a confined process. What it does and how it ends is reported, never thrown. Throws when not even its pipes can be
 * created.
 */
export function cell({ command, filter, env, cwd }: CellPlan, watch: Watch): Cell {
  const [program = '', ...args] = command
  // In its own process group: without confinement, that is the only way to end it.
  const child = withPipes(spawn(program, args, { env, cwd, detached: true, stdio: noneBut(['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe']) }))
  let why: string | null = null
  let dying = false
  let listener: ((answer: unknown) => void) | null = null
  const kill = (reason: string | null): void => {
    why ??= reason
    dying = true
    killGroup(child)
  }
  const streamOf = (descriptor: 3 | 4): Duplex => child.stdio[descriptor] as Duplex // as requested
  const flood = (): void => kill('It wrote more than 64 MB.')
  const [stdout, stderr] = [output(child.stdout as Readable, outputs, flood), output(child.stderr as Readable, outputs, flood)] // pipes, as requested
  let answered = { texts: 0, bytes: 0 }
  const control = line(streamOf(controlDescriptor), {
    longest: longestAnswer,
    onTooLong: () => kill('It sent an answer that is too long.'),
    onText(text) {
      if (dying) return
      answered = { texts: answered.texts + 1, bytes: answered.bytes + text.length }
      if (answered.texts > perOrder.texts || answered.bytes > perOrder.bytes) return kill('It sent too many answers.')
      listener?.(parsed(text))
    },
  })
  let unbridge: (() => void) | null = null
  giveFilter(child, filter)
  const unwatch = watch({ pid: child.pid ?? 0, walled: filter !== null, kill, busy: () => listener !== null || unbridge === null })
  const ended = new Promise<End>((resolve) => {
    const end = (code: number | null): void => {
      unwatch()
      unbridge?.()
      resolve({ code, why })
    }
    child.once('error', () => child.pid === undefined && end(null))
    // After `exit`, a grandchild may hold the streams open forever: confinement ends it, or else killing the group does.
    child.once('exit', (code) => {
      killGroup(child)
      const timer = setTimeout(end, lastWordsMs, code)
      child.once('close', () => {
        clearTimeout(timer)
        end(code)
      })
    })
  })
  const order = (value: object): void => {
    answered = { texts: 0, bytes: 0 }
    control.send(JSON.stringify(value))
  }
  const connect = (channel: CdpChannel, page: string | null): void => {
    unbridge = bridge(streamOf(browserDescriptor), channel, kill)
    order({ connect: true, page })
  }
  return { pid: child.pid ?? 0, stdout, stderr, ended, kill, dying: () => dying, connect, order, onAnswer: (next) => void (listener = next) }
}

const lastWordsMs = 1_000
