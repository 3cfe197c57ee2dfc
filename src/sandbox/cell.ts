import { type ChildProcess, spawn } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import type { CdpChannel } from '../domain/sandbox.ts'
import { withPipes } from '../lib/with-pipes.ts'
import { noneBut } from './descriptors.ts'
import { type Line, line } from './lines.ts'
import { cutMark, type Output, output } from './output.ts'
import type { Watch } from './watch.ts'
import { filterDescriptor } from './walls.ts'

/** How a confined process is started. */
export interface CellPlan {
  readonly command: readonly string[]
  /** The filter of system calls; null where the process is not confined by one. */
  readonly filter: Buffer | null
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** How a process ended. */
export interface End {
  readonly code: number | null
  /** Set when we ended it for a reason of its own making. */
  readonly why: string | null
}

/** A confined process with a line to us and one to its browser. */
export interface Cell {
  readonly pid: number
  readonly stdout: Output
  readonly stderr: Output
  /** Gives it the line to its browser, once; it does nothing before. */
  connect(channel: CdpChannel): void
  /** Sends an order to the interpreter. */
  order(value: object): void
  /** Hears the next answer of the interpreter; null takes the listener back. */
  onAnswer(listener: ((answer: unknown) => void) | null): void
  readonly ended: Promise<End>
  /** Whether it has been ended, though its end is not there yet. */
  dying(): boolean
  /** Ends all its processes at once. */
  kill(why: string | null): void
}

const MB = 1024 ** 2
/** Of each stream of each run. */
export const outputBytes = MB
/** A result that was cut, with the mark that says so. */
export const cutResult = (text: string): string => text + cutMark(outputBytes)
const outputs = { limit: outputBytes, flood: 64 * MB }
const longestAnswer = 4 * MB
// A picture of the greatest size, as base64.
const longestMessage = 64 * MB
const mostUnread = 128 * MB
// A driver at work stays far below; who sends more is made to wait.
const perTick = { messages: 1_000, bytes: 16 * MB }
const tickMs = 100

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Carries messages between the process and its browser, at no more than a fixed pace towards the browser. */
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

/** The descriptors of a confined process beyond the ordinary ones. */
const controlDescriptor = 3
const browserDescriptor = 4

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Gone already, which is what was wanted.
  }
}

/** Hands a starting process its filter of system calls. */
export function giveFilter(child: ChildProcess, filter: Buffer | null): void {
  const way = (child.stdio as readonly unknown[])[filterDescriptor] as Duplex // there are as many as were asked for, and this one is a pipe
  way.on('error', () => undefined)
  way.end(filter ?? undefined)
}

/** Starts a process behind its walls. What it does, how long it lives and how it ends is told, never thrown. Throws where it cannot even have its pipes. */
export function cell({ command, filter, env, cwd }: CellPlan, watch: Watch): Cell {
  const [program = '', ...args] = command
  // In a group of its own: without walls that is all there is to end it by.
  const child = withPipes(spawn(program, args, { env, cwd, detached: true, stdio: noneBut(['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe']) }))
  let why: string | null = null
  let dying = false
  let listener: ((answer: unknown) => void) | null = null
  const kill = (reason: string | null): void => {
    why ??= reason
    dying = true
    killGroup(child)
  }
  const streamOf = (descriptor: 3 | 4): Duplex => child.stdio[descriptor] as Duplex // as asked for
  const flood = (): void => kill('It wrote more than 64 MB.')
  const [stdout, stderr] = [output(child.stdout as Readable, outputs, flood), output(child.stderr as Readable, outputs, flood)] // pipes, as asked for
  const control = line(streamOf(controlDescriptor), { longest: longestAnswer, onTooLong: () => kill('It sent an answer that is too long.'), onText: (text) => listener?.(parsed(text)) })
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
    // After `exit` a grandchild may hold the streams for ever; walls end it, and without walls the group does.
    child.once('exit', (code) => {
      killGroup(child)
      const timer = setTimeout(end, lastWordsMs, code)
      child.once('close', () => {
        clearTimeout(timer)
        end(code)
      })
    })
  })
  const order = (value: object): void => control.send(JSON.stringify(value))
  const connect = (channel: CdpChannel): void => {
    unbridge = bridge(streamOf(browserDescriptor), channel, kill)
    order({ connect: true })
  }
  return { pid: child.pid ?? 0, stdout, stderr, ended, kill, dying: () => dying, connect, order, onAnswer: (next) => void (listener = next) }
}

const lastWordsMs = 1_000
