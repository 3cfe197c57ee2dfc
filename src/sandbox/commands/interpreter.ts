import type { Page } from 'playwright-core'
import type { Interpreter, Run, RunTerms, SessionBrowser } from '../../domain/sessions/sandbox.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { timeLimit, untilAborted } from '../../lib/deadline.ts'
import { nearest } from '../../lib/nearest.ts'
import { sleep } from '../../lib/sleep.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { outputBytes } from '../cell.ts'
import { cutMark } from '../output.ts'
import { inTurns } from '../turns.ts'
import { type Command, type Desk, done, Misuse, type Order, type Said } from './command.ts'
import { elementCommands } from './elements.ts'
import { pageCommands } from './pages.ts'
import { NotACommand, parse, type Step } from './parse.ts'

const program = 'agent-browser'
/** How long a command waits for what it needs, if the run has that long. */
const commandMs = 25_000
// Lets a command report what it waited for before the run is over.
const lastWordsMs = 300

const own: Readonly<Record<string, Command>> = {
  ...pageCommands,
  ...elementCommands,
  echo: { use: 'echo <text>', run: async ({ words }) => ({ text: words.join(' '), data: words.join(' ') }) },
  true: { use: 'true', run: async () => ({ ...done, text: '' }) },
  sleep: {
    use: 'sleep <seconds>',
    async run({ words: [word = ''] }, { terms }) {
      if (!/^\d+(\.\d+)?$/.test(word)) throw new Misuse('the number of seconds is missing')
      await sleep(Number(word) * 1000, terms.signal)
      return { ...done, text: '' }
    },
  },
}
const commands: ReadonlyMap<string, Command> = new Map(Object.entries(own))
/** Shell commands, which take their words as they are. */
const plain: ReadonlySet<string> = new Set(['echo', 'true', 'sleep'])

/** Separates a command's options from its words. Throws `Misuse` for unknown options. */
function orderOf(name: string, { options = [] }: Command, words: readonly string[]): Omit<Order, 'input'> {
  if (plain.has(name)) return { words, options: new Map() }
  const found = new Map<string, string>()
  const rest: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '--json' || options.includes(word)) found.set(word, '')
    else if (options.includes(`${word}=`)) found.set(word, words[++i] ?? '')
    else if (/^--?[a-z]/i.test(word) && rest.length === 0) throw new Misuse(`the option ${word} is not known here`)
    else if (/^--[a-z]/i.test(word) && options.length > 0) throw new Misuse(`the option ${word} is not known here`)
    else rest.push(word)
  }
  return { words: rest, options: found }
}

/** The output of a run so far. */
interface Sheet {
  stdout: string
  stderr: string
  code: number
}

/** The message of a failed driver operation, without its log. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return (text.split('\nCall log:')[0] ?? text).replace(/^(?:locator|page|keyboard|mouse)\.\w+: /, '').trim().slice(0, 2_000)
}

async function carriedOut({ words, input }: Step, desk: Desk, sheet: Sheet): Promise<void> {
  const asWritten = words[0] === program ? words.slice(1) : words
  const [name = '', ...rest] = asWritten[0] === '--json' ? [...asWritten.slice(1), '--json'] : asWritten
  const command = commands.get(name)
  try {
    if (command === undefined) throw new Misuse(unknown(name))
    const order = orderOf(name, command, rest)
    const answer = await command.run({ ...order, input }, desk).catch((error: unknown) => {
      throw error instanceof Misuse ? new Misuse(`${error.message} (${command.use})`) : error
    })
    sheet.stdout += lineOf(answer, order.options.has('--json'))
    sheet.code = 0
  } catch (error) {
    desk.terms.signal.throwIfAborted()
    sheet.stderr += `✗ ${name}: ${reasonOf(error)}\n`
    sheet.code = 1
  }
}

function lineOf({ text, data }: Said, json: boolean): string {
  const line = json ? JSON.stringify({ success: true, data }) : text
  return line === '' ? '' : `${line}\n`
}

function unknown(name: string): string {
  const near = nearest(name, [...commands.keys()])
  return name === '' ? `the command is missing after ${program}` : `there is no such command${near === null ? '' : `; did you mean ${near}?`}`
}

const cutOf = (text: string): { readonly text: string; readonly cut: boolean } => (Buffer.byteLength(text) <= outputBytes ? { text, cut: false } : { text: Buffer.from(text).subarray(0, outputBytes).toString('utf8').replace(/�+$/, '') + cutMark(outputBytes), cut: true })

function runOf({ stdout, stderr, code }: Sheet, ending: Pick<Run, 'killed'> & { readonly error?: string }): Run {
  const [out, complaints] = [cutOf(stdout), cutOf(stderr)]
  const last = stderr.trim().split('\n✗ ').at(-1)?.replace(/^✗ /, '') ?? ''
  const error = ending.error ?? (code === 0 ? null : last)
  return { stdout: out.text, stderr: complaints.text, result: out.text === '' ? null : out.text.trimEnd(), exitCode: code, killed: ending.killed, error, truncated: out.cut || complaints.cut }
}

/** Stops a page's endless script. It must be created in advance: a busy page accepts no new connection. */
type Brake = () => Promise<unknown>

const brakes = new WeakMap<Page, Promise<Brake>>()
const brakeMs = 1_000

function brakeOf(page: Page): Promise<Brake> {
  const known = brakes.get(page)
  if (known !== undefined) return known
  const made = page.context().newCDPSession(page).then((line): Brake => () => line.send('Runtime.terminateExecution'))
  // Without it the page stays as it is, until its session ends.
  made.catch(() => undefined)
  brakes.set(page, made)
  return made
}

/** Browser commands of a session: parsed here, and carried out through the driver, without a shell or a process. */
export function commandInterpreter(browser: SessionBrowser<Page>): Interpreter {
  let chosen: Page | null = null
  const closing = new AbortController()
  const current = async (): Promise<Page> => (chosen === null || chosen.isClosed() ? browser.page() : chosen)

  const used = new Set<Page>()

  async function steps(script: readonly Step[], signal: AbortSignal, sheet: Sheet, deadline: number): Promise<void> {
    used.clear()
    for (const step of script) {
      const due = step.when === 'always' || (step.when === 'success') === (sheet.code === 0)
      if (!due) continue
      signal.throwIfAborted()
      const left = Math.max(1, Math.floor(deadline - performance.now() - lastWordsMs))
      const page = await current()
      used.add(page)
      await withTimeout(brakeOf(page).catch(() => undefined), brakeMs, () => undefined)
      await carriedOut(step, { page, choose: (page) => void (chosen = page), terms: { timeout: Math.min(commandMs, left), signal } }, sheet)
      if (sheet.stdout.length > 64 * outputBytes) return
    }
  }

  async function runNow(code: string, { timeoutMs, signal }: RunTerms): Promise<Run> {
    signal.throwIfAborted()
    closing.signal.throwIfAborted()
    const sheet: Sheet = { stdout: '', stderr: '', code: 0 }
    let script: readonly Step[]
    try {
      script = parse(code)
    } catch (error) {
      if (!(error instanceof NotACommand)) throw error
      return runOf({ ...sheet, stderr: `${error.message}\n`, code: 2 }, { killed: false })
    }
    const timeout = timeLimit(timeoutMs)
    const all = anySignal(signal, closing.signal, timeout)
    try {
      // When a page does not answer, the operation is abandoned: no command can block the run.
      await untilAborted(steps(script, all, sheet, performance.now() + timeoutMs), all)
      return runOf(sheet, { killed: false })
    } catch (error) {
      if (!timeout.aborted || signal.aborted || closing.signal.aborted) throw error
      const freed = Promise.all([...used].map(async (page) => (await brakeOf(page))())).catch(() => undefined)
      await withTimeout(freed, brakeMs, () => undefined)
      return runOf({ ...sheet, code: 137 }, { killed: true, error: `The commands were ended after ${Math.round(timeoutMs / 100) / 10} s.` })
    }
  }

  return inTurns(runNow, async (last) => {
    closing.abort(new Error('The interpreter is closed.'))
    await last
  })
}
