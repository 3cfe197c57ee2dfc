const baseOf = (tag: string | undefined): string | undefined => tag?.split('-', 1)[0]

/** Languages as a browser lists them: `de-DE`, `de`, `en`. The base language comes after the last of adjacent regions; at most ten. */
export function browserLanguages(tags: readonly string[]): readonly string[] {
  const listed = tags.flatMap((tag, at) => (baseOf(tags[at + 1]) === baseOf(tag) ? [tag] : [tag, baseOf(tag) ?? tag]))
  return [...new Set(listed)].slice(0, 10)
}
