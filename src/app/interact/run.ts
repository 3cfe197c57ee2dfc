import { notCovered } from '../../domain/teams/allowance.ts'
import type { AgentRun } from '../../domain/sessions/agent.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Language, Run, RunTerms } from '../../domain/sessions/sandbox.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { deadline, untilAborted } from '../../lib/deadline.ts'
import type { RunAnswer } from '../../spec/interact.ts'
import { limits } from '../../spec/limits.ts'
import { holdAhead } from './holds.ts'
import type { Live, SessionPorts } from './ports.ts'

/** Grace after a run's time is up, within which the sandbox or agent must end it. */
const overtimeMs = 3_000

/** How long an answer that is ready waits for hanging pages to be freed. */
const freeingMs = 500

/** What to do in a session: run code or follow a prompt. */
export type Task = { readonly code: string; readonly language: Language } | { readonly prompt: string }

/** The outcome of a run, as the interface names it. */
export type Outcome = Omit<RunAnswer, 'success' | 'sessionId' | 'cdpUrl' | 'liveViewUrl' | 'interactiveLiveViewUrl'>

/** How long a run may take. */
export interface RunTime {
  readonly timeoutMs: number
  /** When the caller stops waiting; the run is over by then. */
  readonly answerBy: number
}

/** The answer if time ran out before the run could begin. */
export const tooLate: Outcome = {
  stdout: null,
  result: null,
  stderr: null,
  exitCode: null,
  killed: true,
  error: 'The session took longer to open than the run may take. It is open now, or soon: repeat the call.',
}

/** The value of the last expression; without one, what was printed (contract §13.14). */
const resultOf = (run: Run, language: Language): string => (language === 'node' ? (run.result ?? run.stdout) : run.stdout)

/** The answer if a run was abandoned: as a rule its interpreter was still starting, and nothing was run. */
const overdue: Outcome = { ...tooLate, error: 'The run did not end in its time and was given up; where its interpreter was still starting, nothing was run. Pages that do not answer any more are stopped or closed before the next run; it may need a longer timeout.' }

function ofRun(run: Run, language: Language): Outcome {
  const { stdout, stderr, exitCode, killed, error, truncated } = run
  const failed = killed || exitCode !== 0 || error !== null
  return { stdout, result: resultOf(run, language), stderr, exitCode, killed, ...(failed ? { error: error ?? 'The run did not end well.' } : {}), ...(truncated ? { truncated } : {}) }
}

function ofAgent({ output, warning, snapshot, actions, error, timedOut, truncated }: AgentRun): Outcome {
  const told = actions.map((action) => ({ ...action }))
  return { output, actions: told, stdout: null, result: snapshot, stderr: null, exitCode: timedOut ? null : error === null ? 0 : 1, killed: timedOut, ...(error === null ? {} : { error }), ...(warning === undefined ? {} : { warning }), ...(truncated ? { truncated } : {}) }
}

/** Waits for the session, which does one thing at a time. Returns the function that ends the turn. Throws `CONCURRENCY_LIMITED`. */
async function turn(live: Live, waitMs: number, signal: AbortSignal): Promise<() => void> {
  const busy = (why: string): ServiceError => new ServiceError('CONCURRENCY_LIMITED', why, { retryAfterSeconds: 1 })
  if (live.runs > limits.waitingRuns) throw busy('Too many runs wait for their turn in this session.')
  const before = live.turn
  let leave = (): void => undefined
  live.turn = before.then(() => new Promise<void>((resolve) => (leave = resolve)))
  // Set at once, in case the caller gives up before its turn.
  let given = false
  const mine = before.then(() => void (given = true))
  live.runs += 1
  const done = (): void => {
    live.runs -= 1
    if (given) leave()
    else void mine.then(() => leave())
  }
  const limit = deadline(signal, waitMs, () => busy('Another run of this session takes longer than this one could wait.'))
  try {
    await untilAborted(mine, limit.signal)
    return done
  } catch (error) {
    done()
    throw error
  } finally {
    limit.dispose()
  }
}

async function runCode({ interpreters }: Live, { code, language }: Extract<Task, { code: string }>, terms: RunTerms): Promise<Outcome> {
  const interpreter = await interpreters.of(language)
  return ofRun(await interpreter.run(code, terms), language)
}

/** The agent stops at its deadline by itself and reports what it did; only one that hangs is abandoned. */
async function runPrompt(live: Live, prompt: string, call: Call, ports: SessionPorts): Promise<Outcome> {
  const { agent } = ports
  if (agent === null) throw noAgent()
  if (!(await holdAhead(live, ports, true))) throw await notCovered('a prompt in this session', ports, live.session)
  live.prompted = true
  await ports.sessions.used(live.session.id, ports.now(), true)
  return ofAgent(await agent.run(prompt, () => live.browser.page(), call))
}

class TimeUp extends Error {}

/** Whether a hanging page may be the cause, which would block every later run. Drivers give up shortly before the run does. */
const mayHang = ({ killed, error = '' }: Outcome): boolean => killed || /time-?out/i.test(error)

/** Frees hanging pages, waiting no longer than the caller does. */
async function freed({ interpreters }: Live, waitMs: number, signal: AbortSignal): Promise<void> {
  const limit = deadline(signal, Math.max(0, waitMs), () => new TimeUp())
  await untilAborted(interpreters.free(), limit.signal).catch(() => undefined)
  limit.dispose()
}

/** Adds a warning about pages that did not respond, or crashed. */
function withNews(outcome: Outcome, { interpreters }: Live): Outcome {
  const news = interpreters.news()
  return news.length === 0 ? outcome : { ...outcome, warning: [...(outcome.warning === undefined ? [] : [outcome.warning]), ...news].join(' ') }
}

/** Why a prompt cannot be run. */
export function noAgent(): ServiceError {
  return new ServiceError('FEATURE_NOT_CONFIGURED', 'Not configured: a prompt needs a language model (TRAWL_LLM_BASE_URL, TRAWL_LLM_MODEL); give code.', { details: { feature: 'prompt' } })
}

/** Why a run ended without an outcome. */
function failure(error: unknown, live: Live, call: Call): unknown {
  if (live.over.signal.aborted) return live.over.signal.reason
  if (call.signal.aborted) return call.signal.reason
  return error instanceof ServiceError ? error : new ServiceError('BROWSER_FAILURE', 'The run could not be done in this session.', { cause: error })
}

/** Runs one thing in a session when its turn comes. Throws `CONCURRENCY_LIMITED`, `SESSION_DESTROYED` if the session ends meanwhile, `BROWSER_FAILURE`, and what the sandbox or the agent throw. */
export async function runIn(live: Live, task: Task, time: RunTime, ports: SessionPorts, call: Call): Promise<Outcome> {
  const signal = anySignal(call.signal, live.over.signal)
  const left = (): number => Math.min(time.timeoutMs, time.answerBy - ports.now())
  let done = (): void => undefined
  try {
    done = await turn(live, left(), signal)
    const timeoutMs = left()
    if (timeoutMs <= 0) return tooLate
    live.lastUsedAt = ports.now()
    const limit = deadline(signal, timeoutMs + overtimeMs, () => new TimeUp())
    try {
      const terms = { timeoutMs, signal: limit.signal }
      const work = 'code' in task ? runCode(live, task, terms) : runPrompt(live, task.prompt, { ...call, signal: limit.signal, deadline: ports.now() + timeoutMs }, ports)
      const outcome = await untilAborted(work, limit.signal)
      if (mayHang(outcome)) await freed(live, time.answerBy + freeingMs - ports.now(), signal)
      return withNews(outcome, live)
    } finally {
      limit.dispose()
    }
  } catch (error) {
    if (error instanceof TimeUp) {
      // The caller has no time left to wait for this.
      void live.interpreters.free()
      return withNews(overdue, live)
    }
    throw failure(error, live, call)
  } finally {
    done()
    live.lastUsedAt = ports.now()
  }
}
