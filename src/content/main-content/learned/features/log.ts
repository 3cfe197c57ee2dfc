/** Most counts are small, and a table lookup takes a tenth of the time of the function. */
const known = Float64Array.from({ length: 4_096 }, (_, count) => Math.log1p(count))

/** The logarithm of 1 + `number`. */
export function log(number: number): number {
  return (number | 0) === number && number >= 0 && number < known.length ? (known[number] ?? 0) : Math.log1p(number)
}
