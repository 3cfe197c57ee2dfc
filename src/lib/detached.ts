/** A copy of the text in its own memory: a substring keeps the whole string alive, such as the page that a word was cut from. */
export function detached(text: string): string {
  // Joining and cutting again forces the copy.
  return ` ${text}`.slice(1)
}
