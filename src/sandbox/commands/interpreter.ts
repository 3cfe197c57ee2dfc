import { stripVTControlCharacters } from 'node:util'
import type { Frame, Page } from 'playwright-core'
import { showClosedRoots } from '../../browser/index.ts'
import type { Interpreter, PageReader, Run, RunTerms, SessionBrowser } from '../../domain/sessions/sandbox.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { timeLimit, untilAborted } from '../../lib/deadline.ts'
import { nearest } from '../../lib/nearest.ts'
import { sleep } from '../../lib/sleep.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { outputBytes } from '../cell.ts'
import { cutMark, wholeText } from '../output.ts'
import { inTurns } from '../turns.ts'
import { type Command, type Desk, done, FileCame, fileCame, Misuse, type Order, type Said } from './command.ts'
import { dialogCommand, type Events, events, type Happened } from './dialogs.ts'
import { elementCommands } from './elements.ts'
import { helpOf, isHelp } from './help.ts'
import { lineTo } from './lines.ts'
import { whyMissing } from './missing.ts'
import { pageCommands } from './pages.ts'
import { NotACommand, parse, type Step } from './parse.ts'
import { recordCommands } from './records.ts'
import { settingsCommand } from './settings.ts'
import { stateCommands } from './state.ts'

const program = 'agent-browser'
/** How long a command waits for what it needs, if the run has that long. */
const commandMs = 25_000
// Lets a command report what it waited for before the run is over.
const lastWordsMs = 300

const own: Readonly<Record<string, Command>> = {
  ...pageCommands,
  ...elementCommands,
  ...stateCommands,
  ...recordCommands,
  set: settingsCommand,
  dialog: dialogCommand,
  echo: { use: 'echo <text>', most: null, run: async ({ words }) => ({ text: words.join(' '), data: words.join(' ') }) },
  true: { use: 'true', most: null, run: async () => ({ ...done, text: '' }) },
  sleep: {
    use: 'sleep <seconds>',
    most: 1,
    async run({ words: [word = ''] }, { terms }) {
      if (!/^\d+(\.\d+)?$/.test(word)) throw new Misuse('the number of seconds is missing')
      await sleep(Number(word) * 1000, terms.signal)
      return { ...done, text: '' }
    },
  },
}
const commands: ReadonlyMap<string, Command> = new Map(Object.entries({ ...own, help: helpOf(own) }))
/** Shell commands, which take their words as they are. */
const plain: ReadonlySet<string> = new Set(['echo', 'true', 'sleep'])

/** Separates a command's options from its words. Throws `Misuse` for unknown options. */
function orderOf(name: string, { options = [], most }: Command, words: readonly string[]): Omit<Order, 'input'> {
  if (plain.has(name)) return { words, options: new Map() }
  const found = new Map<string, string>()
  const rest: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? ''
    if (word === '--json' || options.includes(word)) found.set(word, '')
    else if (options.includes(`${word}=`)) {
      const value = words[++i]
      if (value === undefined) throw new Misuse(`${word} needs a value`)
      found.set(word, value)
    }
    else if (/^--?[a-z]/i.test(word) && (rest.length === 0 || most !== null)) throw new Misuse(`the option ${word} is not known here`)
    else if (/^--[a-z]/i.test(word) && options.length > 0) throw new Misuse(`the option ${word} is not known here`)
    else rest.push(word)
  }
  if (most !== null && rest.length > most) throw new Misuse(`"${rest[most]}" is one word too many; one that has spaces must be quoted`)
  return { words: rest, options: found }
}

/** The output of a run so far. */
interface Sheet {
  stdout: string
  stderr: string
  code: number
}

/** A command as in the table: without the name of the program, options after it, requests for help as one. */
function ordered(words: readonly string[]): readonly string[] {
  const own = words[0] === program ? words.slice(1) : words
  const [name = '', ...rest] = own[0] === '--json' ? [...own.slice(1), '--json'] : own
  if (isHelp(name)) return ['help', ...rest]
  return rest.length === 1 && isHelp(rest[0]) && !plain.has(name) ? ['help', name] : [name, ...rest]
}

/** Lines of the driver's log that say what is wrong with an element. */
const obstacle = /element is (?:not|outside)|intercepts pointer events|did not find/

/** The message of a failed driver operation; of its log, only what an operation waited for in vain. */
function reasonOf(error: unknown): string {
  const [text = '', log = ''] = (error instanceof Error ? error.message : String(error)).split(/\n(?:Call log:|=+ logs =+)\n/)
  // Cut before it is split, which takes quadratic time for many line breaks.
  const message = (text.slice(0, 4_000).split(/\n\s+at /)[0] ?? text).replace(/^(?:locator|page|frame|keyboard|mouse)\.\w+: /, '').trim().slice(0, 2_000)
  const lines = stripVTControlCharacters(log).split('\n').map((line) => line.replace(/^\s*(?:- |\d+ × )?/, '').slice(0, 300))
  const why = lines.findLast((line) => obstacle.test(line)) ?? lines.find((line) => line.startsWith('waiting for'))
  return message.startsWith('Timeout') && why !== undefined ? `${message.replace(/\.$/, '')}: ${why}` : message
}

const toldOf = ({ dialogs, file }: Happened): readonly string[] => (file === null ? dialogs : [...dialogs, fileCame(file)])

/** Commands that may ask for a file, and fail when one comes. */
const asking: ReadonlySet<string> = new Set(['click', 'dblclick', 'find', 'press', 'key'])

/** What happened in the tab besides, as lines of their own: they may be more than what the command says. */
const noted = (name: string, sentences: readonly string[]): string => sentences.map((one) => `! ${name}: ${one}\n`).join('')

async function carriedOut({ words, input }: Step, desk: Desk, { sheet, happenings }: { readonly sheet: Sheet; readonly happenings: Events }): Promise<void> {
  const [name = '', ...rest] = ordered(words)
  const command = commands.get(name)
  const before = happenings.take(desk.page)
  sheet.stderr += noted('before', toldOf(before))
  try {
    if (command === undefined) throw new Misuse(unknown(name))
    const order = orderOf(name, command, rest)
    const answer = await command.run({ ...order, input }, desk)
    if (asking.has(name)) await happenings.arrival(desk.page, desk.left)
    const meanwhile = happenings.take(desk.page)
    sheet.stderr += noted(name, asking.has(name) ? meanwhile.dialogs : toldOf(meanwhile))
    if (meanwhile.file !== null && asking.has(name)) throw new FileCame(fileCame(meanwhile.file))
    sheet.stdout += lineOf(answer, order.options.has('--json'))
    sheet.code = 0
  } catch (error) {
    desk.terms.signal.throwIfAborted()
    const meanwhile = happenings.take(desk.page)
    // The error may come before what it is about.
    if (error instanceof FileCame && !asking.has(name) && meanwhile.file === null) happenings.expectFile(desk.page)
    sheet.stderr += noted(name, meanwhile.dialogs)
    sheet.stderr += `✗ ${name}: ${reasonOf(error)}${error instanceof Misuse && command !== undefined ? ` (${command.use})` : ''}\n`
    sheet.code = 1
  }
}

function lineOf({ text, data }: Said, json: boolean): string {
  const line = json ? JSON.stringify({ success: true, data }) : text
  return line === '' ? '' : `${line}\n`
}

function unknown(name: string): string {
  const why = whyMissing(name)
  if (why !== null) return `there is no such command here: ${why}`
  const near = nearest(name, [...commands.keys()])
  return name === '' ? `the command is missing after ${program}` : `there is no such command${near === null ? '; help lists those that there are' : `; did you mean ${near}?`}`
}

const cutOf = (text: string): { readonly text: string; readonly cut: boolean } => (Buffer.byteLength(text) <= outputBytes ? { text, cut: false } : { text: wholeText(Buffer.from(text.slice(0, outputBytes)).subarray(0, outputBytes)) + cutMark(outputBytes), cut: true })

function runOf({ stdout, stderr, code }: Sheet, ending: Pick<Run, 'killed'> & { readonly error?: string }): Run {
  const [out, complaints] = [cutOf(stdout), cutOf(stderr)]
  const last = stderr.trim().split('\n✗ ').at(-1)?.replace(/^✗ /, '') ?? ''
  const error = ending.error ?? (code === 0 ? null : last)
  return { stdout: out.text, stderr: complaints.text, result: out.text === '' ? null : out.text.trimEnd(), exitCode: code, killed: ending.killed, error, truncated: out.cut || complaints.cut }
}

/** How long a page is waited for that may not answer. */
const answerMs = 1_000

/** Stops a page's endless script. */
const brake = async (page: Page): Promise<unknown> => (await lineTo(page)).send('Runtime.terminateExecution')

/**
 * Browser commands of a session: parsed here, and carried out through the driver, without a shell or a process. `read` is for
 * the command `scrape`.
 */
export function commandInterpreter(browser: SessionBrowser<Page>, read: PageReader | undefined): Interpreter {
  const closing = new AbortController()
  const used = new Set<Page>()
  const happenings = events((yes) => browser.answersDialogs(yes))
  const frames = new WeakMap<Page, Frame>()

  function deskOf(page: Page, left: number, signal: AbortSignal): Desk {
    const enter = (frame: Frame | null): void => void (frame === null ? frames.delete(page) : frames.set(page, frame))
    return {
      page,
      get frame() {
        const frame = frames.get(page) ?? page.mainFrame()
        if (!frame.isDetached()) return frame
        enter(null)
        throw new Misuse('the frame that was entered is gone; commands work in the page again')
      },
      enter,
      dialogs: happenings,
      read,
      choose: browser.use,
      left,
      terms: { timeout: Math.min(commandMs, left), signal },
    }
  }

  /** Whether all were carried out: after a flood, there are no more. */
  async function steps(script: readonly Step[], signal: AbortSignal, sheet: Sheet, deadline: number): Promise<boolean> {
    used.clear()
    for (const step of script) {
      const due = step.when === 'always' || (step.when === 'success') === (sheet.code === 0)
      if (!due) continue
      if (sheet.stdout.length > 64 * outputBytes) return false
      signal.throwIfAborted()
      const left = Math.max(1, Math.floor(deadline - performance.now() - lastWordsMs))
      const page = await browser.page()
      used.add(page)
      await withTimeout(happenings.watch(page), answerMs, () => undefined)
      await showClosedRoots(page, answerMs)
      await carriedOut(step, deskOf(page, left, signal), { sheet, happenings })
    }
    return true
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
    happenings.running = true
    try {
      // When a page does not answer, the operation is abandoned: no command can block the run.
      const whole = await untilAborted(steps(script, all, sheet, performance.now() + timeoutMs), all)
      return whole ? runOf(sheet, { killed: false }) : runOf({ ...sheet, code: 137 }, { killed: false, error: 'The commands were ended after they had written more than 64 MB.' })
    } catch (error) {
      if (!timeout.aborted || signal.aborted || closing.signal.aborted) throw error
      const freed = Promise.all([...used].map(brake)).catch(() => undefined)
      await withTimeout(freed, answerMs, () => undefined)
      return runOf({ ...sheet, code: 137 }, { killed: true, error: `The commands were ended after ${Math.round(timeoutMs / 100) / 10} s.` })
    } finally {
      happenings.running = false
    }
  }

  return inTurns(runNow, async (last) => {
    closing.abort(new Error('The interpreter is closed.'))
    await last
  })
}
