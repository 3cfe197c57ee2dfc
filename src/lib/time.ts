/** ISO 8601 with milliseconds and `Z`, from milliseconds since 1970. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

const shortMonths: ReadonlySet<number> = new Set([4, 6, 9, 11])

/** Whether a day is in the calendar: no month has more than its days. */
export function isDay(year: number, month: number, day: number): boolean {
  const february = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month >= 1 && month <= 12 && day >= 1 && day <= (month === 2 ? february : shortMonths.has(month) ? 30 : 31)
}

/** Whether the day that a text begins with, if it does, is in the calendar. */
export function isRealDay(text: string): boolean {
  const [year, month, day] = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0].split('-').map(Number) ?? []
  return year === undefined || month === undefined || day === undefined || isDay(year, month, day)
}
