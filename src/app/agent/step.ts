import type { AgentPage, AgentTarget } from '../../domain/sessions/agent.ts'
import { framePath } from '../../lib/frame-path.ts'
import { Action } from '../../spec/actions.ts'

/** What an agent may do next: everything there is. */
export type Step =
  | { readonly do: 'click'; readonly ref: string }
  | { readonly do: 'write'; readonly ref: string; readonly text: string; readonly enter: boolean }
  | { readonly do: 'choose'; readonly ref: string; readonly text: string }
  | { readonly do: 'press'; readonly key: string }
  | { readonly do: 'scroll'; readonly direction: 'up' | 'down'; readonly ref: string | null }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'show'; readonly part: number }
  | { readonly do: 'finish' | 'give_up'; readonly answer: string; readonly cut: boolean }

/** The form of a model's answer. Flat, as small models fill in nothing else well. */
export const stepSchema = {
  type: 'object',
  properties: {
    why: { type: 'string', description: 'One short sentence.' },
    do: { type: 'string', enum: ['click', 'write', 'choose', 'press', 'scroll', 'wait', 'show', 'finish', 'give_up'] },
    ref: { type: 'string', description: 'Reference of an element, such as e5.' },
    text: { type: 'string' },
    enter: { type: 'boolean' },
    key: { type: 'string' },
    direction: { type: 'string', enum: ['up', 'down'] },
    seconds: { type: 'number' },
    part: { type: 'integer' },
    answer: { type: 'string' },
  },
  required: ['do'],
  additionalProperties: false,
} as const

/** The steps as a model is told of them. */
export const stepWords = `{"do":"click","ref":"e5"}: click on an element.
{"do":"write","ref":"e5","text":"…","enter":true}: put a text into a field in place of what is there, and press Enter if "enter" is true.
{"do":"choose","ref":"e5","text":"…"}: choose the entry with that text from a list (combobox, listbox).
{"do":"press","key":"Escape"}: press a key (Enter, Tab, Escape, ArrowDown, PageDown …).
{"do":"scroll","direction":"down"}: scroll the page, or with "ref" that element, so that a page that loads more when scrolled does so.
{"do":"wait","seconds":2}: wait, 10 seconds at most.
{"do":"show","part":2}: be shown that part of a long page.
{"do":"finish","answer":"…"}: the task is done; "answer" is what whoever gave it is told.
{"do":"give_up","answer":"…"}: the task cannot be done; "answer" says why.`

/** A step that cannot be done as it was written, and why. */
export interface Misstep {
  readonly wrong: string
}

const longestWait = 10
const maxAnswer = 100_000
const maxText = 10_000

type Fields = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '')
/** Models write references as they see them. */
const refOf = (value: unknown): string => textOf(value).trim().replace(/^\[?(?:ref=|@)?/, '').replace(/\]$/, '')
const wrong = (why: string): Misstep => ({ wrong: why })

function withRef<T>({ ref }: Fields, made: (ref: string) => T): T | Misstep {
  const name = refOf(ref)
  return /^(?:f\d+)?e\d+$/.test(name) ? made(name) : wrong('"ref" must be the reference of an element of the page as it is shown, such as e5.')
}

const withText = <T>(fields: Fields, made: (ref: string, text: string) => T): T | Misstep => {
  const text = textOf(fields['text'])
  return text.length > maxText ? wrong(`"text" has ${text.length} characters; at most ${maxText} are written.`) : withRef(fields, (ref) => made(ref, text))
}

const answered = (answer: unknown): { readonly answer: string; readonly cut: boolean } => ({ answer: textOf(answer).slice(0, maxAnswer), cut: textOf(answer).length > maxAnswer })

const readers: Readonly<Record<(typeof stepSchema.properties.do.enum)[number], (fields: Fields) => Step | Misstep>> = {
  click: (fields) => withRef(fields, (ref) => ({ do: 'click', ref })),
  write: (fields) => withText(fields, (ref, text) => ({ do: 'write', ref, text, enter: fields['enter'] === true })),
  choose: (fields) => withText(fields, (ref, text) => ({ do: 'choose', ref, text })),
  press: ({ key }) => (textOf(key) === '' ? wrong('"key" is missing.') : { do: 'press', key: textOf(key).slice(0, 100) }),
  scroll(fields) {
    const direction = fields['direction'] === 'up' ? 'up' : 'down'
    if (textOf(fields['ref']) === '') return { do: 'scroll', direction, ref: null }
    return withRef(fields, (ref) => ({ do: 'scroll', direction, ref }))
  },
  wait: ({ seconds }) => ({ do: 'wait', seconds: typeof seconds === 'number' && seconds > 0 ? Math.min(seconds, longestWait) : 1 }),
  show: ({ part }) => (typeof part === 'number' && Number.isInteger(part) && part > 0 ? { do: 'show', part } : wrong('"part" must be the number of a part of the page.')),
  finish: ({ answer }) => ({ do: 'finish', ...answered(answer) }),
  give_up: ({ answer }) => ({ do: 'give_up', ...answered(answer) }),
}

/** The step that a model meant; whatever else it says is no step. */
export function stepOf(given: unknown): Step | Misstep {
  const value: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('An answer is one JSON object with "do".')
  const fields = value as Fields // an object, as looked at above
  const name = textOf(fields['do']).trim().toLowerCase()
  const read = Object.hasOwn(readers, name) ? readers[name as keyof typeof readers] : undefined // looked up before
  return read === undefined ? wrong(`There is no step ${JSON.stringify(name.slice(0, 50))}; "do" is one of ${Object.keys(readers).join(', ')}.`) : read(fields)
}

/** Chooses an entry of a list, by its text or value. Nothing that a model says is code in it. */
function choosing(path: string, text: string): string {
  const { frames, selector } = framePath(path)
  const inside = frames.map((frame) => `.querySelector(${JSON.stringify(frame)}).contentDocument`).join('')
  return `(() => {
  const list = document${inside}.querySelector(${JSON.stringify(selector)})
  const wanted = ${JSON.stringify(text)}.trim()
  const all = [...(list?.options ?? [])]
  const entry = all.find((one) => one.label.trim() === wanted || one.value === wanted) ?? all.find((one) => one.label.toLowerCase().includes(wanted.toLowerCase()))
  if (entry === undefined) throw new Error('the list has no such entry')
  entry.selected = true
  for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, { bubbles: true }))
})()`
}

type Found = Extract<AgentTarget, { readonly selector: string }>

function writing({ selector, filled }: Found, text: string, enter: boolean): readonly object[] {
  const typed = text === '' ? [{ type: 'press', key: 'Delete' }] : [{ type: 'write', text }]
  const into = filled || text === '' ? [{ type: 'click', selector }, { type: 'press', key: 'Control+A' }, ...typed] : [{ type: 'write', text, selector }]
  return enter ? [...into, { type: 'press', key: 'Enter' }] : into
}

/** The scrape actions that a step comes to; why it comes to none. */
export async function actionsOf(step: Exclude<Step, { readonly do: 'show' | 'finish' | 'give_up' }>, page: AgentPage): Promise<readonly object[] | Misstep> {
  if (step.do === 'press') return [{ type: 'press', key: step.key }]
  if (step.do === 'wait') return [{ type: 'wait', milliseconds: Math.max(1, Math.round(step.seconds * 1000)) }]
  if (step.do === 'scroll' && step.ref === null) return [{ type: 'scroll', direction: step.direction }]
  const target = await page.find(step.ref ?? '')
  if ('why' in target) return wrong(target.why)
  const { selector, kind } = target
  if (step.do === 'click') return [{ type: 'click', selector }]
  if (step.do === 'scroll') return [{ type: 'scroll', direction: step.direction, selector }]
  if (kind === 'far list' && step.do === 'choose') return [{ type: 'write', text: step.text, selector }]
  if (step.do === 'choose') return kind === 'list' ? [{ type: 'executeJavascript', script: choosing(selector, step.text) }] : wrong('This is no list of the browser: click on it, and then on an entry.')
  return kind === 'list' || kind === 'far list' ? wrong('This is a list: use "choose".') : writing(target, step.text, step.enter)
}

/** Does actions in their order, up to the first that cannot be done; those that were done are noted in `done`. Answers why it stopped, or null. */
export async function performed(actions: readonly object[], page: AgentPage, done: object[]): Promise<string | null> {
  for (const action of actions) {
    const known = Action.safeParse(action)
    if (!known.success) return 'This cannot be done as it was written.'
    const why = await page.act(known.data)
    if (why !== null) return why
    done.push(action)
  }
  return null
}
