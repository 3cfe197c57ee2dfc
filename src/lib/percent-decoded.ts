/** A part of a URL as plain text; unchanged if what it encodes is no text. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
