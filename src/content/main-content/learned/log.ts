/** Most of what is counted is small: looked up, it costs a tenth of the function. */
const known = Float64Array.from({ length: 4_096 }, (_, count) => Math.log1p(count))

/** The logarithm of a number and one. */
export function log(number: number): number {
  return (number | 0) === number && number >= 0 && number < known.length ? (known[number] ?? 0) : Math.log1p(number)
}
