const signs: readonly (readonly [number, string])[] = [[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'], [1, 'i']]

/** A positive whole number as a Roman numeral in small letters; thousands are written one by one. */
export function romanNumeral(number: number): string {
  let numeral = ''
  let left = number
  for (const [worth, sign] of signs) for (; left >= worth; left -= worth) numeral += sign
  return numeral
}
