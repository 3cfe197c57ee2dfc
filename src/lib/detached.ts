/** The same text in memory of its own: a part of a text keeps all of it alive, such as the page that a word was cut from. */
export function detached(text: string): string {
  // What is joined and cut again is copied.
  return ` ${text}`.slice(1)
}
