import { randomBytes } from 'node:crypto'
import type { Interpreter, Run, RunTerms, SessionBrowser } from '../domain/sessions/sandbox.ts'
import { type Cell, cutResult, type End } from './cell.ts'
import { seconds } from './output.ts'
import { inTurns } from './turns.ts'

/** The answer of the process at the end of a run; nothing else of it is read. */
interface Answer {
  readonly result: string | null
  readonly cut: boolean
  readonly error: string | null
  /** Whether the code has disconnected from the browser: then the process is of no more use. */
  readonly left: boolean
}

type Outcome = { readonly kind: 'answer'; readonly answer: Answer } | { readonly kind: 'end'; readonly end: End } | { readonly kind: 'timeout' } | { readonly kind: 'aborted' }

const startMs = 30_000
/** Starting may take this long without counting against the run's time. */
const freeStartMs = 2_000
const shortestMs = 500
/** How long the streams may lag behind the answer; code that closed them never sends the mark. */
const lagMs = 1_000

const isText = (value: unknown): value is string => typeof value === 'string'

/** The answer to the run with that id; null for anything else. */
function answerIn(value: unknown, id: string): Answer | null {
  if (typeof value !== 'object' || value === null || Reflect.get(value, 'done') !== id) return null
  const [result, error]: readonly unknown[] = [Reflect.get(value, 'result'), Reflect.get(value, 'error')]
  return { result: isText(result) ? result : null, cut: Reflect.get(value, 'cut') === true, error: isText(error) ? error : null, left: Reflect.get(value, 'left') === true }
}

const ended = (): Error => new Error('The interpreter is closed.')

/** The result of a run that ended its process. */
function fatal(outcome: Exclude<Outcome, { kind: 'answer' | 'aborted' }>, { timeoutMs }: RunTerms): Pick<Run, 'exitCode' | 'killed' | 'error'> {
  if (outcome.kind === 'timeout') return { exitCode: 137, killed: true, error: `The code was ended after ${seconds(timeoutMs)}; its variables are gone.` }
  const { code, why } = outcome.end
  if (why !== null) return { exitCode: 137, killed: false, error: `${why} The interpreter was ended; its variables are gone.` }
  return { exitCode: code, killed: false, error: code === 0 ? null : `The interpreter ended with ${code === null ? 'no exit code' : `exit code ${code}`}; its variables are gone.` }
}

/** The message about an interpreter that the code ended regularly: no error, but its variables are gone. */
function farewell(outcome: Outcome, said: string): string {
  if (outcome.kind !== 'end' || outcome.end.why !== null || outcome.end.code !== 0) return ''
  return `${said === '' || said.endsWith('\n') ? '' : '\n'}The interpreter ended with exit code 0; its variables are gone.\n`
}

/** Waits for the first of: an answer, the end of the process, the time limit, the signal. */
async function outcomeOf(one: Cell, id: string, { timeoutMs, signal }: RunTerms): Promise<Outcome> {
  let tell: (outcome: Outcome) => void = () => undefined
  const outcome = new Promise<Outcome>((resolve) => (tell = resolve))
  const timer = setTimeout(() => tell({ kind: 'timeout' }), timeoutMs)
  const abort = (): void => tell({ kind: 'aborted' })
  signal.addEventListener('abort', abort, { once: true })
  one.onAnswer((value) => {
    const answer = answerIn(value, id)
    if (answer !== null) tell({ kind: 'answer', answer })
  })
  void one.ended.then((end) => tell({ kind: 'end', end }))
  try {
    return await outcome
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    one.onAnswer(null)
    // The process would keep the outcome of each of its runs until it ends.
    tell = () => undefined
  }
}

/** Resolves when the interpreter has connected to the browser; rejects with its output when it ends before. */
async function ready(one: Cell): Promise<void> {
  const id = 'ready'
  const started = new Promise<boolean>((resolve) =>
    one.onAnswer((value) => {
      if (typeof value === 'object' && value !== null && Reflect.get(value, id) === true) resolve(true)
    }),
  )
  const timer = setTimeout(() => one.kill('It did not start in time.'), startMs)
  const alive = await Promise.race([started, one.ended.then(() => false)])
  clearTimeout(timer)
  one.onAnswer(null)
  if (alive) return
  one.kill(null)
  const { why } = await one.ended
  throw new Error(`The interpreter did not start: ${why ?? one.stderr.take().text.trim().slice(-500)}`)
}

/** One language of a session, in a confined process that is started on demand, and again after it has ended. */
export function processInterpreter(begin: () => Cell, browser: SessionBrowser): Interpreter {
  let current: Cell | null = null
  let closed = false
  // Why the last process was ended, until a run has reported it.
  let lost: string | null = null

  async function connect(one: Cell): Promise<void> {
    try {
      const channel = await browser.cdp.connect()
      if (!closed) return one.connect(channel, browser.pageId())
      channel.close()
      throw ended()
    } catch (error) {
      one.kill(null)
      throw error
    }
  }

  async function start(): Promise<Cell> {
    const one = begin()
    // Set before it is ready, so that `close` finds it.
    current = one
    void one.ended.then(({ why }) => {
      if (current !== one) return
      current = null
      lost = why
    })
    await connect(one)
    await ready(one)
    return one
  }

  async function runNow(code: string, given: RunTerms): Promise<Run> {
    given.signal.throwIfAborted()
    if (closed) throw ended()
    // A process that was ended between two runs is not the fault of the second.
    if (current?.dying() === true) await current.ended
    const before = current === null && lost !== null ? `${lost} The interpreter was ended before this run; its variables are gone.\n` : ''
    lost = null
    const asked = performance.now()
    const one = current ?? (await start())
    // Nobody waits for the run any more: it must not happen unnoticed.
    given.signal.throwIfAborted()
    const late = Math.max(0, performance.now() - asked - freeStartMs)
    const terms = { ...given, timeoutMs: Math.max(Math.min(shortestMs, given.timeoutMs), given.timeoutMs - late) }
    const id = randomBytes(16).toString('hex')
    const mark = `\u0001${id}\u0001`
    const said = Promise.all([one.stdout.until(mark), one.stderr.until(mark)])
    one.order({ id, code, mark, timeoutMs: terms.timeoutMs })
    const outcome = await outcomeOf(one, id, terms)
    if (outcome.kind !== 'answer') {
      one.kill(null)
      await one.ended
      lost = null
    }
    await Promise.race([said, new Promise((resolve) => setTimeout(resolve, lagMs).unref())])
    if (outcome.kind === 'aborted') throw terms.signal.reason
    const [stdout, stderr] = [one.stdout.take(), one.stderr.take()]
    const streams = { stdout: stdout.text, stderr: before + stderr.text + farewell(outcome, stderr.text) }
    const truncated = stdout.cut || stderr.cut
    if (outcome.kind !== 'answer') return { ...streams, result: null, ...fatal(outcome, given), truncated }
    const { result, cut, error, left } = outcome.answer
    if (left) one.kill(null)
    return { ...streams, result: cut && result !== null ? cutResult(result) : result, exitCode: error === null ? 0 : 1, killed: false, error, truncated: truncated || cut }
  }

  return inTurns(runNow, async (last) => {
    closed = true
    current?.kill(null)
    await current?.ended
    await last
  })
}
