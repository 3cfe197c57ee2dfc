import { pino } from 'pino'
import type { Log } from '../http/ports.ts'

/** Writes JSON lines to standard output: time, level, event, fields. */
export function jsonLog(level: string): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'event', formatters: { level: (label) => ({ level: label }) } })
  return (line, event, fields = {}) => logger[line](fields, event)
}

/** Writes nothing. */
export const noLog: Log = () => undefined
