/** Page numbers as a person would write them, "1-3, 7"; at most twenty ranges. */
export function pageRanges(numbers: readonly number[]): string {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  const shown = runs.slice(0, 20).map(([from, to]) => (from === to ? String(from) : `${from}-${to}`))
  return runs.length > 20 ? `${shown.join(', ')} and others` : shown.join(', ')
}
