/** Runs other programs. */
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project folder, independent of the working directory. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Runs a program in the project folder with our output; returns its exit code (128 + n for signal n, 124 when it was
 * stopped after `limitMs`, 127 when it could not be started).
 *
 * @param {string} command @param {readonly string[]} args
 * @param {{ limitMs?: number, shell?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    // Tools print colours when CI is set, which are not wanted in a log.
    const plain = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...plain }, shell: options.shell ?? false })
    let late = false
    const timer = options.limitMs === undefined ? undefined : setTimeout(stop, options.limitMs)
    function stop() {
      late = true
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), 5000).unref()
    }
    child.once('error', (error) => {
      clearTimeout(timer)
      console.error(error.message)
      resolve(127)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      resolve(late ? 124 : exitCode(code, signal))
    })
  })
}

/** The exit code of an ended program, by the convention of shells. */
export function exitCode(code, signal) {
  return code ?? 128 + (signalNumbers[signal] ?? 1)
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }
