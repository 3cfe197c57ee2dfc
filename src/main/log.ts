import type { Log } from '../http/ports.ts'

const levels = ['debug', 'info', 'warn', 'error', 'silent']
const urgent = levels.indexOf('warn')

/** Each write is a system call: lines within this time are written together. */
const gatherMs = 50

/**
 * Writes JSON lines to standard output: level, time, fields, event. At once after a pause and for warnings; otherwise up to
 * 50 ms late. Lines are only lost when the process is killed.
 */
export function jsonLog(level: string): Log {
  // The reader of the log may go away without ending the service.
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
