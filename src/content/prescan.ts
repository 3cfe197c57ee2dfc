/** What a page costs to read, estimated without a tree. */
export interface Prescan {
  /** True when the page may be read on the calling thread (R20). */
  readonly small: boolean
  readonly characters: number
  /** Start tags. */
  readonly tags: number
  /** Deepest nesting when every start tag but void ones stays open until an end tag comes: never less than the real one. */
  readonly depth: number
}

const smallCharacters = 512 * 1024
const smallTags = 10_000
const smallDepth = 512
const voidNames: ReadonlySet<string> = new Set(['area', 'base', 'br', 'col', 'embed', 'frame', 'hr', 'img', 'input', 'link', 'meta', 'param', 'source', 'track', 'wbr', 'path', 'use', 'circle', 'rect', 'p', 'li', 'option', 'td', 'th', 'tr', 'dt', 'dd'])

/** Looks at every `<` of a page once. The reading itself holds for any input; this only tells what it may cost. */
export function prescan(text: string): Prescan {
  const characters = text.length
  let tags = 0
  let open = 0
  let depth = 0
  if (characters > smallCharacters) return { small: false, characters, tags, depth }
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const code = text.charCodeAt(at + 1)
    if (code === 47) open = open > 0 ? open - (voidNames.has(nameAt(text, at + 2)) ? 0 : 1) : 0
    else if (isLetter(code)) {
      tags++
      if (!voidNames.has(nameAt(text, at + 1)) && ++open > depth) depth = open
    }
  }
  return { small: tags <= smallTags && depth <= smallDepth, characters, tags, depth }
}

function isLetter(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

/** The tag name at a place, up to eight letters: enough to know the names above. */
function nameAt(text: string, start: number): string {
  let end = start
  while (end < start + 8 && isLetter(text.charCodeAt(end))) end++
  return text.slice(start, end).toLowerCase()
}
