/** What stands in a selector between a frame and what is meant in it. */
const into = ' >>> '

/** The frames that a selector leads through, from the outermost, and what is meant in the last. */
export interface FramePath {
  readonly frames: readonly string[]
  readonly selector: string
}

// Texts in quotes and escaped characters as a whole: what is in them is no step.
const tokens = /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\s>>>\s|\\?[^]/g

/** Takes a selector apart at each `>>>` between blanks, which CSS does not know. */
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

/** The selector that leads there. */
export const throughFrames = ({ frames, selector }: FramePath): string => [...frames, selector].join(into)
