import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Call } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import { fairQueue } from '../lib/fair-queue.ts'
import { hasRoom, spareOf, teamCounts } from '../lib/team-counts.ts'
import type { Reply, Work } from './messages.ts'

export interface ProcessOptions {
  readonly entry: URL
  /** How many files are read at the same time, not counting the spare ones for teams of which none is. */
  readonly processes: number
  /** Time limit of one file, in milliseconds; then the process is killed (R20). */
  readonly maxMs: number
  /** Resident memory at which a process ends itself. */
  readonly maxRssMb: number
  /**
   * Address space beyond what Node needs, where the system can limit it: a huge allocation is refused before it is made.
   */
  readonly roomMb: number
  /** An idle process is ended after this time. */
  readonly idleMs: number
}

/** A reply, or that the process crashed on the file. */
export type Result = Reply | { readonly problem: 'crash' }

export interface Processes {
  /** Throws `SCRAPE_TIMEOUT` when the file takes too long, and the signal's reason when aborted. */
  run(work: Work, call: Call): Promise<Result>
  close(): Promise<void>
}

interface Job {
  readonly work: Work
  readonly call: Call
  /** Restarts the call's clock, which stands still while it waits. */
  readonly goOn: (() => void) | undefined
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

const tooSlow = ({ order }: Work): ServiceError => new ServiceError('SCRAPE_TIMEOUT', order === null ? 'The document took too long to read.' : 'The PDF took too long to read; maxPages limits how much of it is read.')

/**
 * Address space of Node with a thread that has read a page, used or not: V8 in Node 24 reserves 400 MB more than in 22, in
 * Node 26 another 300.
 */
const nodeMb = Number.parseInt(process.versions.v8, 10) < 13 ? 1_800 : 2_500

/** The shares of the time limit after which a process hurries to read something of its file, and answers with that. */
const [hurryAt, hurriedAt] = [0.5, 0.8]

/** Starts a process without environment and standard streams: an exploit in a file finds nothing of ours there. */
function spawn({ entry, maxRssMb, roomMb, maxMs }: ProcessOptions): ChildProcess {
  const limited = process.platform !== 'win32'
  const limits = `ulimit -c 0; ulimit -v ${(nodeMb + roomMb) * 1024} 2>/dev/null; exec "$0" "$@"`
  return fork(fileURLToPath(entry), [String(maxRssMb), String(maxMs * hurryAt), String(maxMs * hurriedAt)], {
    ...(limited ? { execPath: '/bin/sh', execArgv: ['-c', limits, process.execPath] } : { execArgv: [] }),
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
}

/**
 * Processes that read files and can be killed in the middle of one. They start on first use, and read one file at a time.
 */
export function processes(options: ProcessOptions): Processes {
  const waiting = fairQueue<Job>()
  const running = teamCounts()
  const spare = spareOf(options.processes)
  const isFree = (team: string): boolean => hasRoom(running, { places: options.processes, spare }, team)
  const idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = []
  const all = new Map<ChildProcess, Promise<void>>()
  let closed = false

  function start(): ChildProcess {
    const child = spawn(options)
    const gone = new Promise<void>((resolve) => {
      const leave = (): void => {
        all.delete(child)
        const at = idle.findIndex((entry) => entry.child === child)
        for (const entry of at < 0 ? [] : idle.splice(at, 1)) clearTimeout(entry.timer)
        resolve()
        pump()
      }
      child.once('exit', leave)
      // A process that could not be started never exits.
      child.once('error', () => child.pid === undefined && leave())
    })
    // Writing to a process that has just died is not an error; its exit tells the result.
    child.on('error', () => undefined)
    all.set(child, gone)
    return child
  }

  /** Whether a process can be had: killed ones count until they are gone. */
  const canHave = (): boolean => idle.length > 0 || all.size < options.processes + spare

  function take(): ChildProcess {
    const ready = idle.pop()
    if (ready === undefined) return start()
    clearTimeout(ready.timer)
    return ready.child
  }

  function rest(child: ChildProcess): void {
    child.unref()
    child.channel?.unref()
    const entry = { child, timer: setTimeout(() => end(entry), options.idleMs).unref() }
    idle.push(entry)
  }

  /** Removes it from the list first: a process that is about to die must not get work. */
  function end(entry: (typeof idle)[number]): void {
    idle.splice(idle.indexOf(entry), 1)
    entry.child.kill('SIGKILL')
  }

  function give(job: Job, child: ChildProcess): void {
    child.ref()
    child.channel?.ref()
    job.goOn?.()
    const { signal, team } = job.call
    running.add(team, 1)
    const finish = (alive: boolean, settle: () => void): void => {
      running.add(team, -1)
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      child.removeListener('message', answer).removeListener('exit', died).removeListener('error', failed)
      settle()
      if (alive) rest(child)
      else child.kill('SIGKILL')
      pump()
    }
    const answer = (reply: Reply): void => {
      const ends = 'problem' in reply ? reply.problem === 'memory' || reply.problem === 'fault' : 'document' in reply && reply.ends === true
      finish(!ends, () => job.resolve(reply))
    }
    const died = (code: number | null, by: NodeJS.Signals | null): void => {
      job.call.log('file-reader-died', { code: code ?? undefined, signal: by ?? undefined })
      finish(false, () => job.resolve({ problem: 'crash' }))
    }
    const failed = (error: Error): void => finish(false, () => (child.pid === undefined ? job.reject(error) : job.resolve({ problem: 'crash' })))
    const stop = (): void => finish(false, () => job.reject(signal.reason))
    const timer = setTimeout(() => finish(false, () => job.reject(tooSlow(job.work))), options.maxMs)
    signal.addEventListener('abort', stop, { once: true })
    child.once('message', answer).once('exit', died).once('error', failed)
    // A process that got no file descriptors has no channel either; its error follows in a moment.
    if ((child.send as unknown) !== undefined) child.send(job.work) // against its type
  }

  function pump(): void {
    if (closed) return
    while (canHave()) {
      const job = waiting.next(isFree)
      if (job === null) return
      give(job, take())
    }
  }

  return {
    run(work, call) {
      if (closed) return Promise.reject(new ServiceError('SHUTTING_DOWN'))
      if (call.signal.aborted) return Promise.reject(call.signal.reason)
      let leave = (): void => undefined
      return new Promise<Result>((resolve, reject) => {
        const job: Job = { work, call, goOn: call.clock?.pause(), resolve, reject }
        leave = () => {
          if (!waiting.drop(call.team, job)) return
          job.goOn?.()
          reject(call.signal.reason)
        }
        call.signal.addEventListener('abort', leave, { once: true })
        waiting.push(call.team, job, call.background)
        pump()
      }).finally(() => call.signal.removeEventListener('abort', leave))
    },
    async close() {
      closed = true
      for (const job of waiting.clear()) job.reject(new ServiceError('SHUTTING_DOWN'))
      for (const child of all.keys()) {
        // When nothing else is left to do, Node would not wait for an idle process.
        child.ref()
        child.kill('SIGKILL')
      }
      await Promise.all(all.values())
    },
  }
}
