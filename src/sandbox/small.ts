import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Page } from 'playwright-core'
import type { Interpreter, Run, RunTerms, SessionBrowser } from '../domain/sessions/sandbox.ts'
import { cutResult, outputBytes } from './cell.ts'
import { cutMark, seconds } from './output.ts'
import { granted, isDuration, isTelling, type Wish, wishOf } from './small-page.ts'
import { inTurns } from './turns.ts'
import { anySignal } from '../lib/any-signal.ts'
import { slots } from '../lib/slots.ts'

/** `asked`: characters of all calls that wait for their answers, which this process has to hold. `idleMs`: processor time that code may use between two runs. */
const limits = { memoryBytes: 64 * 1024 ** 2, stackBytes: 512 * 1024, calls: 200, asked: 8 * 1024 ** 2, outputBytes, idleMs: 20_000 }
/** Limits of the thread around it. */
const resources = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

/** How many answers with what a page says are fetched at once: each may take as much of this process's memory as a page may have. */
const toldAtOnce = 2

/** Messages of the thread. The thread's own code is ours; of the user's code inside, only texts and numbers get out. */
type Said =
  | { readonly call: number; readonly what: string }
  | { readonly say: 'out' | 'err'; readonly text: string }
  | { readonly done: number; readonly result: string | null; readonly cut: boolean; readonly full: boolean; readonly error: string | null; readonly trace: string }
  | { readonly ready: true }

type Done = Extract<Said, { readonly done: number }>

const cut = (text: string): string => (text.length > outputBytes ? text.slice(0, outputBytes) + cutMark(outputBytes) : text)
/** The message of a failed driver operation, without its log. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\nCall log:')[0]?.slice(0, 2_000) ?? ''

/** A thread with the variables of the code. */
interface Thread {
  readonly worker: Worker
  /** The output of this run so far. */
  readonly said: { out: string; err: string }
  done: (end: Done | null) => void
  /** Whether it will not answer any more. */
  dead: boolean
  /** End of the run, so that a wait can report what it waited for. */
  deadline: number
  /** Default timeout of driver operations, in milliseconds. */
  patience: number
  /** Resets the pages to their default state. */
  rest(): void
}

function begin(browser: SessionBrowser<Page>, idleMs: number): Thread {
  const workerData = { prelude: readFileSync(fileURLToPath(new URL('./inside/page.js', import.meta.url)), 'utf8'), limits: { ...limits, idleMs } }
  // Nothing of our environment, and no arguments: they contain secrets.
  const worker = new Worker(new URL('./inside/small.mjs', import.meta.url), { workerData, resourceLimits: resources, env: {}, argv: [], execArgv: [], stdin: false })
  const pages = new Set<Page>()
  const thread: Thread = { worker, said: { out: '', err: '' }, done: () => undefined, dead: false, deadline: 0, patience: waitMs, rest: () => pages.forEach((page) => page.setDefaultTimeout(waitMs)) }
  const [telling, gone] = [slots(toldAtOnce), new AbortController()]
  // One for each request that waits; `limits.calls` bounds them.
  setMaxListeners(0, gone.signal)
  async function answer(id: number, what: string): Promise<void> {
    let leave = (): void => undefined
    try {
      const wish = wishOf(what)
      // At once, for the next request.
      if (isPatience(wish)) thread.patience = wish.values[0]
      if (isTelling(wish)) leave = await telling.enter({ team: '', signal: gone.signal })
      const { patience } = thread
      const page = await browser.page()
      pages.add(page)
      page.setDefaultTimeout(Math.min(patience, Math.max(500, thread.deadline - performance.now() - 500)))
      worker.postMessage({ answer: id, value: await granted(page, wish) })
    } catch (error) {
      worker.postMessage({ answer: id, error: reasonOf(error) })
    } finally {
      leave()
    }
  }
  worker.on('message', (message: Said) => {
    if ('call' in message) void answer(message.call, message.what)
    else if ('say' in message) thread.said[message.say] += message.text
    else if ('done' in message) thread.done(message)
  })
  worker.on('error', () => thread.done(null))
  worker.on('exit', () => {
    gone.abort()
    thread.dead = true
    thread.done(null)
  })
  return thread
}

/** Default timeout of driver operations. */
const waitMs = 30_000

/** Whether a request sets the default timeout. */
const isPatience = (wish: Wish): wish is Wish & { readonly values: readonly [number] } => wish.target === 'page' && wish.method === 'setDefaultTimeout' && isDuration(wish.values[0])
const lost = 'its variables are gone.'

/** `node` code in QuickJS, where no walls of the kernel can be built: it has no files, environment, network or processes to begin with, and of the page what `small-page.ts` grants. */
export function smallInterpreter(browser: SessionBrowser<Page>, { idleMs = limits.idleMs }: { readonly idleMs?: number } = {}): Interpreter {
  let current: Thread | null = null
  const closing = new AbortController()
  let number = 0

  async function end(): Promise<void> {
    const last = current
    current = null
    await last?.worker.terminate()
  }

  async function runNow(code: string, { timeoutMs, signal }: RunTerms): Promise<Run> {
    const all = anySignal(signal, closing.signal)
    all.throwIfAborted()
    if (current?.dead === true) current = null
    const thread = (current ??= begin(browser, idleMs))
    thread.said.out = thread.said.err = ''
    thread.deadline = performance.now() + timeoutMs
    const url = (await browser.page()).url()
    let timer: NodeJS.Timeout | undefined
    let stop = (): void => undefined
    const outcome = await new Promise<Done | 'late' | 'aborted' | null>((resolve) => {
      thread.done = resolve
      timer = setTimeout(resolve, timeoutMs, 'late')
      stop = () => resolve('aborted')
      all.addEventListener('abort', stop, { once: true })
      thread.worker.postMessage({ run: ++number, code, url })
    })
    clearTimeout(timer)
    all.removeEventListener('abort', stop)
    thread.done = () => undefined
    thread.rest()
    if (outcome === null || typeof outcome === 'string' || outcome.full) await end()
    if (outcome === 'aborted') throw all.reason
    const streams = { stdout: cut(thread.said.out), stderr: cut(thread.said.err), truncated: thread.said.out.length > outputBytes || thread.said.err.length > outputBytes }
    if (outcome === 'late') return { ...streams, result: null, exitCode: 137, killed: true, error: `The code was ended after ${seconds(timeoutMs)}; ${lost}` }
    if (outcome === null || outcome.full) return { ...streams, result: null, exitCode: 137, killed: false, error: outcome === null ? `The interpreter broke down; ${lost}` : `The code used more than ${limits.memoryBytes / 1024 ** 2} MB of memory; ${lost}` }
    const { result, error, trace } = outcome
    return { ...streams, stderr: error === null ? streams.stderr : `${streams.stderr}${trace}\n`, result: outcome.cut && result !== null ? cutResult(result) : result, exitCode: error === null ? 0 : 1, killed: false, error, truncated: streams.truncated || outcome.cut }
  }

  return inTurns(runNow, async (last) => {
    closing.abort(new Error('The interpreter is closed.'))
    await last
    await end()
  })
}
