import { jsonrepair } from 'jsonrepair'

/** Longer texts are not repaired: what is wrong with them is more than a comma. */
const maxRepair = 200_000

/** Reasoning that some models print before their answer. */
const thoughts = /<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi

/** The text of an answer without reasoning and without the fence around it. */
export function bareText(text: string): string {
  const said = text.replace(thoughts, '').trim()
  const fence = /^```[\w-]*\n([\s\S]*?)\n?```$/.exec(said)
  return (fence?.[1] ?? said).trim()
}

/** The part of a text that looks like JSON: from its first bracket to the last of the same kind. */
function bracketed(text: string): string | null {
  const start = text.search(/[[{]/)
  if (start < 0) return null
  const end = text.lastIndexOf(text[start] === '{' ? '}' : ']')
  return end > start ? text.slice(start, end + 1) : text.slice(start)
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

/** The JSON object or array that a model meant; null when the text holds none. */
export function jsonIn(text: string): { readonly value: unknown } | null {
  const bare = bareText(text)
  const whole = parsed(bare)
  if (whole !== null && typeof whole.value === 'object' && whole.value !== null) return whole
  const part = bracketed(bare)
  if (part === null) return null
  return parsed(part) ?? repaired(part)
}
