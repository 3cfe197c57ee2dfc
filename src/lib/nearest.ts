/** Edit distance of two words: insert, delete, replace, swap neighbours (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const plain = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(plain, (before[j - 2] ?? 0) + 1) : plain)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/** The known word closest to `word`, or null when none is close; for "did you mean". */
export function nearest(word: string, known: readonly string[]): string | null {
  const lower = word.slice(0, 100).toLowerCase()
  const ranked = known.map((name) => ({ name, edits: distance(lower, name.toLowerCase()) })).sort((a, b) => a.edits - b.edits)
  // A word of which nothing or only half is left is no typing error: `rm` is not `is`, and `page` is not `safe`.
  const best = ranked.find(({ name, edits }) => edits < word.length && edits <= Math.max(1, Math.floor(Math.max(word.length, name.length) / 3)))
  return best?.name ?? null
}
