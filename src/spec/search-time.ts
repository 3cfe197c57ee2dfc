import { isDay } from '../lib/time.ts'

/** A time filter as it was asked for: a span up to now, days from and to (UTC, milliseconds since 1970), the order. */
export interface SearchTime {
  readonly span: 'h' | 'd' | 'w' | 'm' | 'y' | null
  readonly from: number | null
  /** The last millisecond of the last day. */
  readonly to: number | null
  readonly byDate: boolean
}

const dayMs = 86_400_000
/** No filter by time. */
export const anyTime: SearchTime = { span: null, from: null, to: null, byDate: false }

function dayOf(text: string): number | null {
  const found = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (found === null) return null
  const [month, day, year] = [Number(found[1]), Number(found[2]), Number(found[3])]
  return isDay(year, month, day) ? Date.UTC(year, month - 1, day) : null
}

/** The parts of `tbs` that change nothing by themselves: that a range follows. */
const marks: ReadonlySet<string> = new Set(['cdr:1', 'sbd:0'])

/** Reads `tbs`: `qdr:h|d|w|m|y`, `cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY`, `sbd:1`, combined with commas; null for anything else. */
export function searchTime(text: string): SearchTime | null {
  let time: SearchTime = anyTime
  const parts = text.split(',').map((part) => part.trim())
  const names = parts.map((part) => part.replace(/:.*/, ''))
  // Of two spans, or of a span and days, only one could be asked for.
  if (new Set(names).size < names.length || (names.includes('qdr') && names.includes('cdr'))) return null
  for (const part of parts) {
    const [name = '', ...rest] = part.split(':')
    const value = rest.join(':')
    const day = dayOf(value)
    if (part === 'sbd:1') time = { ...time, byDate: true }
    else if (name === 'qdr' && (value === 'h' || value === 'd' || value === 'w' || value === 'm' || value === 'y')) time = { ...time, span: value }
    else if (name === 'cd_min' && day !== null) time = { ...time, from: day }
    else if (name === 'cd_max' && day !== null) time = { ...time, to: day + dayMs - 1 }
    else if (!marks.has(part)) return null
  }
  const ranged = time.from !== null || time.to !== null
  if (ranged !== parts.includes('cdr:1') || (time.from !== null && time.to !== null && time.from > time.to)) return null
  return time
}
