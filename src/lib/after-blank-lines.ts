/** The text without the blank lines at its start. Not a pattern: one that repeats a group exhausts its stack at millions of lines. */
export function afterBlankLines(text: string): string {
  const begin = text.search(/[^ \t\n]/)
  return begin < 0 ? '' : text.slice(text.lastIndexOf('\n', begin) + 1)
}
