import type { Log } from '../http/ports.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent']
const urgent = levels.indexOf('warn')

/** A write is a call of the kernel: of lines that come faster, those of so long a time are written together. */
const gatherMs = 50

/**
 * Writes JSON lines to standard output: level, time, fields, event. At once after a pause, and where something is amiss; else up to 50 ms
 * late, and no line is lost but by a kill.
 */
export function jsonLog(level: string): Log {
  // Whoever reads them may leave: a service is not ended by that.
  process.stdout.on('error', () => undefined)
  let held = ''
  let timer: NodeJS.Timeout | null = null
  const flush = (): void => {
    const lines = held
    held = ''
    if (lines !== '') process.stdout.write(lines)
  }
  process.on('exit', flush)
  return (line, event, fields) => {
    const rank = levels.indexOf(line)
    if (rank < levels.indexOf(level)) return
    held += `${JSON.stringify({ level: line, time: new Date(), ...fields, event })}\n`
    if (timer === null || rank >= urgent) flush()
    timer ??= setTimeout(() => {
      timer = null
      flush()
    }, gatherMs).unref()
  }
}

/** Writes nothing. */
export const noLog: Log = () => undefined
