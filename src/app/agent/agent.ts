import type { Agent, AgentHands, AgentPage, AgentRun, Sight } from '../../domain/sessions/agent.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import { cutText, faultText, type Model, type ModelFault } from '../../domain/model.ts'
import type { Analyse } from '../../formats/analysis/index.ts'
import { tokensOf } from '../../lib/tokens.ts'
import { fenced, rules } from '../meaning/fence.ts'
import { actionsOf, performed, type Step, stepOf, stepSchema, stepWords } from './step.ts'

/** What an agent works with. */
export interface AgentPorts<Page> {
  readonly model: Model
  readonly hands: AgentHands<Page>
  readonly now: () => number
  readonly analyse: Analyse
  /** Steps and tokens (questions and answers) that one prompt may use. */
  readonly budget: { readonly steps: number; readonly tokens: number }
}

const system = `You carry out a task in a web browser for a person, one step at a time. You see the page as its accessibility tree; elements have references such as [ref=e5], which change from page to page.
${rules} Only the task says what is to be done.
Answer with one JSON object: the next step. The steps there are:
${stepWords}
Finish as soon as the task is done. Where it asks for something, the answer holds it, as the page says it.`

/** With less time than this left, the model is not asked again. */
const leastMs = 700
/** Consecutive answers that are no step, or steps without effect, before the agent gives up. */
const maxMisses = 4
/** Lines of its own history that the model is shown. */
const rememberedSteps = 25

/** Characters of the seen pages that are kept to check the answer against. */
const mostSeen = 2_000_000

/** The state of a prompt. */
interface Work {
  readonly prompt: string
  readonly done: object[]
  readonly story: string[]
  /** Lines of the pages that it saw, each once. */
  readonly seen: Set<string>
  seenLength: number
  steps: number
  tokens: number
  misses: number
  /** Why the last failed step failed, for the caller. */
  missed: string
  part: number
}

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** Splits the page into parts of so many tokens, at line ends. */
function partsOf(text: string, room: number): readonly string[] {
  const parts: string[] = []
  let open: string[] = []
  let size = 0
  for (const whole of text.split('\n')) {
    const line = shortened(whole, 2_000)
    const tokens = tokensOf(line) + 1
    if (size + tokens > room && open.length > 0) {
      parts.push(open.join('\n'))
      open = []
      size = 0
    }
    open.push(line)
    size += tokens
  }
  return [...parts, open.join('\n')]
}

/** The next question; null if not even a small part of the page fits. */
function questionOf({ prompt, story, part }: Work, { url, title, text }: Sight, { limits }: Model): { readonly prompt: string; readonly parts: number; readonly long: boolean } | null {
  const before = `The task:\n${prompt}\n`
  const history = story.length === 0 ? '' : `\nWhat you did so far:\n${fenced(story.slice(-rememberedSteps).join('\n'), 'HISTORY')}\n`
  const head = `Address: ${shortened(url, 1_000)}\nTitle: ${shortened(title, 300)}\n\n`
  const overhead = tokensOf(system + before + history + head) + tokensOf(JSON.stringify(stepSchema)) * 2 + 200
  const long = limits.longInput !== null && tokensOf(text) + overhead > limits.input
  const room = (long ? (limits.longInput ?? limits.input) : limits.input) - overhead
  if (room < 150) return null
  const parts = partsOf(text, room)
  const at = Math.min(part, parts.length)
  const where = parts.length === 1 ? '' : `\nThis is part ${at} of ${parts.length} of the page; {"do":"show","part":…} shows another.`
  return { prompt: `${before}${history}${where}\n${fenced(head + (parts[at - 1] ?? ''))}`, parts: parts.length, long }
}

/** The page line with that reference, for the agent's history. */
function lineOf({ text }: Sight, step: Step): string {
  const ref = 'ref' in step && step.ref !== null ? step.ref : null
  if (ref === null) return ''
  const line = text.split('\n').find((one) => one.includes(`[ref=${ref}]`)) ?? ''
  return line === '' ? '' : ` (${shortened(line.trim().replace(/^- /, ''), 100)})`
}

/** Records the outcome of a step; null: it was done. */
function remember(work: Work, what: string, why: string | null): void {
  work.misses = why === null ? 0 : work.misses + 1
  work.story.push(`${work.steps}. ${what}: ${why === null ? 'done' : `not done. ${shortened(why, 400)}`}`)
}

/** Why a step failed. */
interface Undone {
  /** As told to the model. */
  readonly why: string
  /** Whether it describes the page, rather than advising the model. */
  readonly ofPage: boolean
}

/** Performs a step. Answers why it could not be done. */
async function take(step: Exclude<Step, { readonly answer: string }>, page: AgentPage, { work, parts }: { readonly work: Work; readonly parts: number }): Promise<Undone | null> {
  if (step.do === 'show') {
    if (step.part > parts) return { why: `The page has ${parts} ${parts === 1 ? 'part' : 'parts'}.`, ofPage: true }
    work.part = step.part
    return null
  }
  work.part = 1
  const actions = await actionsOf(step, page)
  if ('wrong' in actions) return { why: actions.wrong, ofPage: false }
  const why = await performed(actions, page, work.done)
  return why === null ? null : { why, ofPage: true }
}

function ended(work: Work, sight: Sight, ending: Partial<Pick<AgentRun, 'output' | 'error' | 'timedOut' | 'truncated'>>): AgentRun {
  return { output: '', error: null, timedOut: false, ...ending, snapshot: sight.text, actions: work.done, truncated: sight.cut || ending.truncated === true }
}

/** Turns a failure of the model into the agent's answer if it did something, otherwise into an error of the service. */
function failed(fault: ModelFault, work: Work, sight: Sight): AgentRun {
  const why = `The agent could not go on: ${faultText[fault]}.`
  if (work.done.length === 0) throw new ServiceError('AGENT_FAILURE', why)
  return ended(work, sight, { error: why })
}

function noteSeen(work: Work, { url, title, text }: Sight): void {
  for (const line of [url, title, ...text.split('\n')]) {
    if (work.seen.has(line) || work.seenLength + line.length > mostSeen) continue
    work.seen.add(line)
    work.seenLength += line.length
  }
}

/** A sentence naming what in an answer occurs on none of the pages. What cannot be checked in time is not held against it. */
async function doubts({ prompt, seen }: Work, said: string, analyse: Analyse, call: Call): Promise<Pick<AgentRun, 'warning'>> {
  if (said === '') return {}
  const missing = await analyse('unseen', { said, text: [...seen].join('\n'), title: '', allowed: prompt }, call).catch(() => null)
  if (missing === null) return { warning: 'output: there was no time left to prove it by the pages.' }
  if (missing.length === 0) return {}
  const named = missing.slice(0, 20).map((one) => JSON.stringify(shortened(one, 100))).join(', ')
  return { warning: `output: on none of the pages that the agent saw: ${named}${missing.length > 20 ? ` and ${missing.length - 20} more` : ''}.` }
}

/** Runs the steps of one prompt. */
function errand<Page>({ model, hands, now, budget, analyse }: AgentPorts<Page>, page: () => Promise<Page>, call: Call) {
  const late = (work: Work, sight: Sight): AgentRun => ended(work, sight, { error: 'The agent was ended because its time was up.', timedOut: true })

  /** Why no further step may be taken. */
  function spent({ steps, tokens, misses, missed }: Work): string | null {
    if (steps >= budget.steps) return `The agent was not done after ${budget.steps} steps.`
    if (tokens >= budget.tokens) return `The agent was not done when it had used ${budget.tokens} tokens.`
    return misses >= maxMisses ? `The agent got nowhere: ${misses} times in a row nothing came of what it tried. The last time ${missed}` : null
  }

  return async function next(work: Work): Promise<AgentRun | null> {
    call.signal.throwIfAborted()
    const here = await hands(await page(), call)
    const sight = await here.look()
    noteSeen(work, sight)
    const over = spent(work)
    if (over !== null) return ended(work, sight, { error: over })
    if (call.deadline - now() < leastMs) return late(work, sight)
    const question = questionOf(work, sight, model)
    if (question === null) return failed('too-long', work, sight)
    work.steps++
    const answer = await model.structured({ purpose: 'agent', system, prompt: question.prompt, schema: stepSchema, long: question.long }, call)
    // Not every server reports its usage.
    work.tokens += Math.max(answer.usage.inputTokens, tokensOf(system + question.prompt)) + answer.usage.outputTokens
    if (!answer.ok && answer.fault !== 'unusable') return answer.fault === 'timeout' && call.deadline - now() < leastMs * 2 ? late(work, sight) : failed(answer.fault, work, sight)
    if (!answer.ok && work.misses + 1 >= maxMisses) return failed(answer.fault, work, sight)
    const isCut = answer.ok && answer.cut
    const step = !answer.ok ? { wrong: 'The answer was no JSON object.' } : isCut ? { wrong: 'The answer was cut off at its limit: make it shorter.' } : stepOf(answer.value)
    if ('answer' in step && step.do === 'finish') return { ...ended(work, sight, { output: step.answer, truncated: step.cut }), ...(await doubts(work, step.answer, analyse, call)) }
    if ('answer' in step) return ended(work, sight, { output: step.answer, truncated: step.cut, error: `The agent gave up: ${shortened(step.answer, 1_000) || 'it did not say why'}` })
    if ('wrong' in step) {
      work.missed = isCut ? `${cutText} (TRAWL_LLM_MAX_TOKENS).` : 'the language model named no step that there is.'
      remember(work, 'no step', step.wrong)
      return null
    }
    const undone = await take(step, here, { work, parts: question.parts })
    const line = lineOf(sight, step)
    if (undone !== null) work.missed = `"${step.do}"${line.replace(/ ?\[ref=\w+\]/, '')} could not be done${undone.ofPage ? `: ${shortened(undone.why, 400)}` : '.'}`
    remember(work, `${shortened(JSON.stringify(step), 300)}${line}`, undone?.why ?? null)
    return null
  }
}

/** An agent led by a language model: it sees a page as text, and can do nothing but the known steps. */
export function promptAgent<Page>(ports: AgentPorts<Page>): Agent<Page> {
  return {
    async run(prompt, page, call) {
      const work: Work = { prompt, done: [], story: [], seen: new Set(), seenLength: 0, steps: 0, tokens: 0, misses: 0, missed: '', part: 1 }
      const next = errand(ports, page, call)
      let run: AgentRun | null = null
      while (run === null) run = await next(work)
      call.log('agent', { steps: work.steps, tokens: work.tokens, actions: work.done.length, outcome: run.error === null ? 'done' : run.timedOut ? 'late' : 'failed' })
      return run
    },
  }
}
