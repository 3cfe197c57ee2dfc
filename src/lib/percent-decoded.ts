/** A part of a URL as plain text; unchanged if what it encodes is no text. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const runs = /(?:%[\da-f]{2})+/gi
const readRun = (run: string): string => new TextDecoder().decode(Uint8Array.from(run.slice(1).split('%'), (digits) => Number.parseInt(digits, 16)))

/** A URL as people read it: runs of percent-encoded bytes as UTF-8 text, with U+FFFD for those that are none. */
export function percentRead(url: string): string {
  return url.includes('%') ? url.replace(runs, readRun) : url
}
