/** Separates, in a selector, a frame from the element within it. */
const into = ' >>> '

/** The frames that a selector passes through, outermost first, and the element meant in the last. */
export interface FramePath {
  readonly frames: readonly string[]
  readonly selector: string
}

// Quoted texts and escaped characters are matched as a whole, so that a `>>>` in them is not a step.
const tokens = /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\s>>>\s|\\?[^]/g

/** Splits a selector at each `>>>` between spaces, which is not CSS. */
export function framePath(selector: string): FramePath {
  const frames: string[] = []
  let part = ''
  for (const [token] of selector.matchAll(tokens)) {
    if (token.length === 5 && token.trim() === '>>>') {
      frames.push(part.trim())
      part = ''
    } else part += token
  }
  return { frames, selector: frames.length === 0 ? selector : part.trim() }
}

/** Joins frames and element to a selector again. */
export const throughFrames = ({ frames, selector }: FramePath): string => [...frames, selector].join(into)
