import { jsonrepair } from 'jsonrepair'
import { jsonShape } from '../lib/json-shape.ts'

/** Longer texts are not repaired: their errors are more than a missing comma. */
const maxRepair = 200_000
/** How many brackets are tried: the prose around an answer may contain some. */
const maxStarts = 20

/** Matches reasoning that some models print before their answer. */
const thoughts = /^\s*<(think(?:ing)?)>[\s\S]*?(?:<\/\1>|$)/i
/** Matches the end of reasoning whose start tag the server removed. */
const thoughtsEnd = /^[\s\S]*(?:\n[ \t]*<\/think(?:ing)?>|<\/think(?:ing)?>[ \t]*\n)/i

/** The text of an answer without reasoning and code fence. */
export function bareText(text: string): string {
  const said = text.replace(thoughts, '').replace(thoughtsEnd, '').trim()
  const fence = /^```[\w-]*\n([\s\S]*?)\n?```$/.exec(said)
  return (fence?.[1] ?? said).trim()
}

/** The extent of a value that starts at an opening bracket. */
interface Run {
  /** Index after the closing bracket; null when that is missing. */
  readonly end: number | null
  /** Index after the last value that is certainly complete. */
  readonly whole: number
}

/** Scans from an opening bracket to its closing one. */
function runFrom(text: string, start: number): Run {
  let depth = 0
  let quoted = false
  let whole = start + 1
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (quoted) {
      if (sign === '\\') at++
      else if (sign === '"') {
        quoted = false
        whole = at + 1
      }
    } else if (sign === '"') quoted = true
    else if (sign === ',') whole = at
    else if (sign === '{' || sign === '[') {
      depth++
      whole = at + 1
    } else if (sign === '}' || sign === ']') {
      whole = at + 1
      if (--depth === 0) return { end: whole, whole }
    }
  }
  return { end: null, whole }
}

/** More than what a person asks a page for; each value is proved by the page, and all of them are handed between threads. */
const mostOf = { depth: 64, values: 100_000 }

function parsed(text: string): { readonly value: unknown } | null {
  const { depth, values } = jsonShape(Buffer.from(text))
  if (depth > mostOf.depth || values > mostOf.values) return null
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

function repaired(text: string): { readonly value: unknown } | null {
  if (text.length > maxRepair) return null
  try {
    return parsed(jsonrepair(text))
  } catch {
    return null
  }
}

/** A text between brackets, or from an unclosed bracket to the last complete value. */
interface Found {
  readonly text: string
  readonly cut: boolean
}

/** Matches the start of JSON: prose contains brackets, too. */
const likeJson = /^[[{]\s*(?:["'[{\]}\d-]|[\w$]+\s*:)/

/** The parts of a text that may be JSON, longest first. */
function runsIn(text: string): readonly Found[] {
  const found: Found[] = []
  const brackets = /[[{]/g
  for (let start = brackets.exec(text), seen = 0; start !== null && seen < maxStarts; start = brackets.exec(text), seen++) {
    const { end, whole } = runFrom(text, start.index)
    if (end !== null) {
      found.push({ text: text.slice(start.index, end), cut: false })
      brackets.lastIndex = end
    } else if (likeJson.test(text.slice(start.index, start.index + 200))) {
      found.push({ text: named(text.slice(start.index, whole)), cut: true })
      break
    }
  }
  return found.sort((a, b) => b.text.length - a.text.length)
}

/** The text without a property name at its end that has no value. */
function named(text: string): string {
  const name = /[{,]\s*"(?:[^"\\]|\\.)*"$/.exec(text)
  if (name === null || !inObject(text.slice(0, name.index + 1))) return text
  return text.slice(0, name.index + (name[0].startsWith('{') ? 1 : 0))
}

/** Whether the innermost open bracket at the end of a text belongs to an object. */
function inObject(text: string): boolean {
  const open: string[] = []
  for (const [, bracket] of text.replace(/"(?:[^"\\]|\\.)*"?/g, '').matchAll(/([[\]{}])/g)) {
    if (bracket === '{' || bracket === '[') open.push(bracket)
    else open.pop()
  }
  return open.at(-1) === '{'
}

/**
 * The JSON object or array in a model's answer. If the answer was cut, incomplete values at its end are dropped. Null when
 * the text contains none.
 */
export function jsonIn(text: string): { readonly value: unknown; readonly cut: boolean } | null {
  const bare = bareText(text)
  const whole = parsed(bare)
  if (whole !== null && typeof whole.value === 'object' && whole.value !== null) return { ...whole, cut: false }
  const runs = runsIn(bare)
  for (const read of [parsed, repaired]) {
    for (const { text: run, cut } of runs) {
      const found = read(run)
      if (found !== null) return { ...found, cut }
    }
  }
  return null
}
