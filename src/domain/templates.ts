/** How a value is read from the text at a place. */
export type LiftForm = 'text' | 'number' | 'date'

/** Where on pages of one template a value stands, and how it is read there. */
export interface Rule {
  /** Names and classes of the element and all around it. */
  readonly path: string
  /** The text before the element, where that tells it from others; null where its path does. */
  readonly label: string | null
  readonly form: LiftForm
  /** What stands around the value in the text. */
  readonly before: string
  readonly after: string
  /** Of a list: `path` leads to each of its entries, and these to what an entry has; the first is in all of them. */
  readonly cells?: readonly Cell[]
}

/** Where in an entry of a list a value stands. */
export interface Cell {
  /** Null where the entry is the value. */
  readonly name: string | null
  readonly path: string
  readonly form: LiftForm
}

/** A single value. */
export type Plain = string | number | null
/** An entry of a list: a value, or several by name. */
export type Row = Plain | Readonly<Record<string, Plain>>
/** A value as a model and as rules give it. */
export type Lifted = Plain | readonly Row[]

/** One page that a model was asked about: what it said, and the rules that give the same there. */
export interface Sample {
  readonly url: string
  readonly values: Readonly<Record<string, Lifted>>
  readonly traces: Readonly<Record<string, readonly Rule[]>>
  /** What the rules that are known gave; empty without any. */
  readonly lifted: Readonly<Record<string, Lifted>>
}

/** What was learned about one template and one question. */
export interface Template {
  readonly phase: 'learning' | 'checking' | 'trusted' | 'given-up'
  readonly samples: readonly Pick<Sample, 'url' | 'values' | 'traces'>[]
  /** By property; no rules at all for one that no page has. */
  readonly rules: Readonly<Record<string, readonly Rule[]>>
  /** Properties that some pages have not. */
  readonly optional: readonly string[]
  /** Pages in a row on which model and rules agreed. */
  readonly agreed: number
  /** Pages in a row on which they did not. */
  readonly doubts: number
  readonly failures: number
}

/** Pages of one shape on one host with one question, as one team met them. */
export interface TemplateKey {
  readonly team: string
  readonly host: string
  readonly shape: string
  /** Hash of schema, prompt and model. */
  readonly ask: string
}

/** Where templates are kept; two months after they were last used. */
export interface Templates {
  recall(key: TemplateKey): Promise<{ readonly state: string; readonly version: number } | null>
  /** Writes a state over that version (null: there is none yet); false where somebody else was faster. */
  note(key: TemplateKey, next: { readonly state: string; readonly version: number | null; readonly at: number }): Promise<boolean>
  /** Counts a page for which a template is to stand in; answers how many there were, this one among them. */
  use(key: TemplateKey, at: number): Promise<number>
}

/** Fewer pages prove nothing. */
const leastSamples = 4
const mostSamples = 8
/** Agreement with the model on so many new pages in a row makes rules trusted. */
const enoughAgreed = 3
/** One page on which they disagree may lie; two in a row are a new template. */
const enoughDoubts = 2
const mostFailures = 3
const mostRules = 3
/** Every so many pages one goes to the model all the same. */
const testEvery = 10

export const noTemplate: Template = { phase: 'learning', samples: [], rules: {}, optional: [], agreed: 0, doubts: 0, failures: 0 }

/** Whether the page of that number is to tell whether the rules still hold. */
export const isTest = (use: number): boolean => use % testEvery === 0

const bare = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ').trim()

function samePlain(a: Plain, b: Plain): boolean {
  if (typeof a === 'string' && typeof b === 'string') return bare(a) === bare(b)
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= Math.max(Math.abs(a), Math.abs(b)) * 1e-9
  return a === b
}

const isPlain = (value: Row | Lifted): value is Plain => typeof value !== 'object' || value === null

function sameRow(a: Row, b: Row): boolean {
  if (isPlain(a) || isPlain(b)) return isPlain(a) && isPlain(b) && samePlain(a, b)
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => samePlain(valueOf(a, name) ?? null, valueOf(b, name) ?? null))
}

/** Whether a model and rules mean the same. */
export function sameValue(a: Lifted, b: Lifted): boolean {
  if (isPlain(a) || isPlain(b)) return isPlain(a) && isPlain(b) && samePlain(a, b)
  return a.length === b.length && a.every((row, at) => sameRow(row, b[at] ?? null))
}

const valueOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined => (Object.hasOwn(record, name) ? record[name] : undefined)

/** Whether what rules gave for these properties can stand in for a model. */
export function suffices({ phase, rules, optional }: Template, lifted: Readonly<Record<string, Lifted>>, names: readonly string[]): boolean {
  if (phase !== 'trusted') return false
  const fits = (name: string): boolean => {
    const known = valueOf(rules, name)
    if (known === undefined) return false
    return known.length === 0 || optional.includes(name) || (valueOf(lifted, name) ?? null) !== null
  }
  return names.every(fits) && names.some((name) => (valueOf(lifted, name) ?? null) !== null)
}

/** The rules that three samples in four bear out; null where some property has none. */
function induced(samples: Template['samples']): Pick<Template, 'rules' | 'optional'> | null {
  const rules: Record<string, readonly Rule[]> = {}
  const optional: string[] = []
  for (const name of new Set(samples.flatMap(({ values }) => Object.keys(values)))) {
    const asked = samples.filter(({ values }) => Object.hasOwn(values, name))
    const having = asked.filter(({ values }) => valueOf(values, name) !== null)
    if (asked.length < leastSamples) return null
    if (having.length < asked.length) optional.push(name)
    const support = new Map<string, { readonly rule: Rule; count: number }>()
    for (const { traces } of having) {
      for (const rule of valueOf(traces, name) ?? []) {
        const key = JSON.stringify(rule)
        const one = support.get(key) ?? { rule, count: 0 }
        one.count++
        support.set(key, one)
      }
    }
    const needed = Math.max(3, Math.ceil(having.length * 0.75))
    const found = [...support.values()].filter(({ count }) => count >= needed).sort((a, b) => b.count - a.count)
    if (having.length > 0 && found.length === 0) return null
    // What stands before a value says what it is: rules that look at that, where there are any, and no others.
    const labelled = found.filter(({ rule }) => rule.label !== null)
    rules[name] = (labelled.length > 0 ? labelled : found).slice(0, mostRules).map(({ rule }) => rule)
  }
  // Where all pages say the same, it may be said of something else: a rule that never had to choose proves nothing.
  const differs = samples.some(({ values }, at) => at > 0 && Object.entries(values).some(([name, value]) => !sameValue(value, valueOf(samples[0]?.values ?? {}, name) ?? null)))
  return differs ? { rules, optional } : null
}

function learning(before: Template, sample: Sample): Template {
  const { url, values, traces } = sample
  const samples = [...before.samples.filter((one) => one.url !== url), { url, values, traces }]
  const found = samples.length < leastSamples ? null : induced(samples)
  if (found !== null) return { ...before, ...found, phase: 'checking', samples: [], agreed: 0, doubts: 0 }
  if (samples.length < mostSamples) return { ...before, samples }
  const failures = before.failures + 1
  return { ...noTemplate, failures, phase: failures >= mostFailures ? 'given-up' : 'learning' }
}

/** What is known after a model has answered for one more page. */
export function observed(before: Template, sample: Sample): Template {
  if (before.phase === 'given-up') return before
  if (before.phase === 'learning') return learning(before, sample)
  const names = Object.keys(sample.values)
  const known = names.every((name) => Object.hasOwn(before.rules, name))
  const agrees = known && names.every((name) => sameValue(valueOf(sample.values, name) ?? null, valueOf(sample.lifted, name) ?? null))
  if (agrees) {
    const agreed = before.agreed + 1
    const trusted = before.phase === 'trusted' || agreed >= enoughAgreed
    return { ...before, agreed, doubts: 0, phase: trusted ? 'trusted' : 'checking', failures: trusted ? 0 : before.failures }
  }
  if (before.doubts + 1 < enoughDoubts) return { ...before, phase: 'checking', agreed: 0, doubts: before.doubts + 1 }
  const failures = before.failures + 1
  return failures >= mostFailures ? { ...noTemplate, failures, phase: 'given-up' } : learning({ ...noTemplate, failures }, sample)
}
