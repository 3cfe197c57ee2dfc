/** How to interpret the text at a place. */
export type LiftForm = 'text' | 'number' | 'date'

/** Where a value is in pages of one template, and how to read it. */
export interface Rule {
  /** Names and classes of the element and its ancestors. */
  readonly path: string
  /** The text before the element, if needed to identify it; null when its path is enough. */
  readonly label: string | null
  readonly form: LiftForm
  /** The text around the value in the element. */
  readonly before: string
  readonly after: string
  /** For a list: `path` leads to each entry, and `cells` to the values in an entry; every entry has the first one. */
  readonly cells?: readonly Cell[]
}

/** Where a value is within an entry of a list. */
export interface Cell {
  /** Null when the entry itself is the value. */
  readonly name: string | null
  readonly path: string
  readonly form: LiftForm
}

/** A single value. */
export type Plain = string | number | null
/** An entry of a list: a value, or several by name. */
export type Row = Plain | Readonly<Record<string, Plain>>
/** A value as a model or rules return it. */
export type Lifted = Plain | readonly Row[]

/** A page that a model was asked about: its answer, and the rules that yield the same answer. */
export interface Sample {
  readonly url: string
  readonly values: Readonly<Record<string, Lifted>>
  readonly traces: Readonly<Record<string, readonly Rule[]>>
  /** What the known rules returned; empty without any. */
  readonly lifted: Readonly<Record<string, Lifted>>
}

/** What was learned about one template and one question. */
export interface Template {
  readonly phase: 'learning' | 'checking' | 'trusted' | 'given-up'
  readonly samples: readonly Pick<Sample, 'url' | 'values' | 'traces'>[]
  /** By property; an empty list for a property that no page has. */
  readonly rules: Readonly<Record<string, readonly Rule[]>>
  /** Properties that some pages lack. */
  readonly optional: readonly string[]
  /** Consecutive pages on which model and rules agreed. */
  readonly agreed: number
  /** Consecutive pages on which they disagreed. */
  readonly doubts: number
  readonly failures: number
}

/** Pages of one shape on one host with one question, as one team saw them. */
export interface TemplateKey {
  readonly team: string
  readonly host: string
  readonly shape: string
  /** Hash of schema, prompt and model. */
  readonly ask: string
}

/** Stores templates until two months after their last use. */
export interface Templates {
  recall(key: TemplateKey): Promise<{ readonly state: string; readonly version: number } | null>
  /** Replaces that version of the state (null: there is none yet); false when another process was faster. */
  note(key: TemplateKey, next: { readonly state: string; readonly version: number | null; readonly at: number }): Promise<boolean>
  /** Counts a page on which a template replaces the model; returns the count, including this page. */
  use(key: TemplateKey, at: number): Promise<number>
}

/** Fewer pages prove nothing. */
const leastSamples = 4
const mostSamples = 8
/** Rules are trusted after agreeing with the model on this many new pages in a row. */
const enoughAgreed = 3
/** One disagreement may be a peculiar page; two in a row mean a new template. */
const enoughDoubts = 2
const mostFailures = 3
const mostRules = 3
/** One page in this many is given to the model nevertheless. */
const testEvery = 10

/** What is known of a template before its first page. */
export const noTemplate: Template = { phase: 'learning', samples: [], rules: {}, optional: [], agreed: 0, doubts: 0, failures: 0 }

/** Whether this page is to test if the rules still hold. */
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

/** Whether two values mean the same. */
export function sameValue(a: Lifted, b: Lifted): boolean {
  if (isPlain(a) || isPlain(b)) return isPlain(a) && isPlain(b) && samePlain(a, b)
  return a.length === b.length && a.every((row, at) => sameRow(row, b[at] ?? null))
}

const valueOf = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined => (Object.hasOwn(record, name) ? record[name] : undefined)

/** Whether the rules' values for these properties can replace the model. */
export function suffices({ phase, rules, optional }: Template, lifted: Readonly<Record<string, Lifted>>, names: readonly string[]): boolean {
  if (phase !== 'trusted') return false
  const fits = (name: string): boolean => {
    const known = valueOf(rules, name)
    if (known === undefined) return false
    return known.length === 0 || optional.includes(name) || (valueOf(lifted, name) ?? null) !== null
  }
  return names.every(fits) && names.some((name) => (valueOf(lifted, name) ?? null) !== null)
}

/**
 * The rules that at least three quarters of the samples, and at least three, support; null when a property has none, or
 * when all samples have the same values.
 */
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
    // The text before a value says what it is: prefer rules that use it, and drop the others.
    const labelled = found.filter(({ rule }) => rule.label !== null)
    rules[name] = (labelled.length > 0 ? labelled : found).slice(0, mostRules).map(({ rule }) => rule)
  }
  // If all pages have the same values, the rules may point at something unrelated: they never had to distinguish.
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

/** The template after a model has answered for another page. */
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
