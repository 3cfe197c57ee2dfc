import type { Log } from '../http/ports.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent']

/** Writes JSON lines to standard output: level, time, fields, event. */
export function jsonLog(level: string): Log {
  // Whoever reads them may leave: a service is not ended by that.
  process.stdout.on('error', () => undefined)
  return (line, event, fields) => {
    if (levels.indexOf(line) >= levels.indexOf(level)) process.stdout.write(`${JSON.stringify({ level: line, time: new Date(), ...fields, event })}\n`)
  }
}

/** Writes nothing. */
export const noLog: Log = () => undefined
