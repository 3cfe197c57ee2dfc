import { jsonrepair } from 'jsonrepair'

/** Longer texts are not repaired: what is wrong with them is more than a comma. */
const maxRepair = 200_000
/** Brackets in the prose around an answer that are looked at. */
const maxStarts = 20

/** Reasoning that some models print before their answer, at its start. */
const thoughts = /^\s*<(think(?:ing)?)>[\s\S]*?(?:<\/\1>|$)/i
/** The end of such reasoning whose beginning the server has swallowed. */
const thoughtsEnd = /^[\s\S]*(?:\n[ \t]*<\/think(?:ing)?>|<\/think(?:ing)?>[ \t]*\n)/i

/** The text of an answer without reasoning and without the fence around it. */
export function bareText(text: string): string {
  const said = text.replace(thoughts, '').replace(thoughtsEnd, '').trim()
  const fence = /^```[\w-]*\n([\s\S]*?)\n?```$/.exec(said)
  return (fence?.[1] ?? said).trim()
}

/** What a text holds from an opening bracket on. */
interface Run {
  /** Behind the closing bracket; null where it is missing. */
  readonly end: number | null
  /** Behind the last value that is surely whole. */
  readonly whole: number
}

/** Walks from an opening bracket to the one that closes it. */
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

function parsed(text: string): { readonly value: unknown } | null {
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

/** A text between brackets, or from one that nothing closes to the last value that is surely whole. */
interface Found {
  readonly text: string
  readonly cut: boolean
}

/** Prose has brackets, too. */
const likeJson = /^[[{]\s*(?:["'[{\]}\d-]|[\w$]+\s*:)/

/** What may be JSON in a text, longest first. */
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

/** Without a name at its end that has no value. */
function named(text: string): string {
  const name = /[{,]\s*"(?:[^"\\]|\\.)*"$/.exec(text)
  if (name === null || !inObject(text.slice(0, name.index + 1))) return text
  return text.slice(0, name.index + (name[0].startsWith('{') ? 1 : 0))
}

/** Whether the innermost bracket that is open at the end of a text is that of an object. */
function inObject(text: string): boolean {
  const open: string[] = []
  for (const [, bracket] of text.replace(/"(?:[^"\\]|\\.)*"?/g, '').matchAll(/([[\]{}])/g)) {
    if (bracket === '{' || bracket === '[') open.push(bracket)
    else open.pop()
  }
  return open.at(-1) === '{'
}

/** The JSON object or array that a model meant, without what a cut at its end has left half; null when the text holds none. */
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
