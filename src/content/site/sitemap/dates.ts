import { isRealDay } from '../../../lib/time.ts'

const w3cDate = /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i
const mailDate = /^(?:[a-z]{3,9}, )?((\d{1,2}) [a-z]{3} \d{4}) \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|[a-z]{1,3})$/i

/** Dates of the W3C profile and of RFC 5322 as ISO 8601, in UTC when without a zone; undefined for any other text, and for days in no calendar. */
export function isoDate(text: string): string | undefined {
  const [, day, time, zone] = w3cDate.exec(text) ?? []
  if (day === undefined ? !isMailDate(text) : !isRealDay(day)) return undefined
  const date = new Date(day === undefined ? text : time === undefined ? day : `${day}T${time}${(zone ?? 'Z').toUpperCase()}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function isMailDate(text: string): boolean {
  const [, date, day] = mailDate.exec(text) ?? []
  // The 31st of February is read as a day of March.
  return date !== undefined && new Date(`${date} UTC`).getUTCDate() === Number(day)
}
