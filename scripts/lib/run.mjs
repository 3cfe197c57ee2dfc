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
 * @param {{ limitMs?: number, shell?: boolean, group?: boolean, env?: Readonly<Record<string, string>> }} [options]
 *   `env`: besides that of this process; `group`: what the program has started ends with it.
 * @returns {Promise<number>}
 */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    // Tools print colours when CI is set, which are not wanted in a log.
    const plain = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...plain, ...options.env }, shell: options.shell ?? false, detached: options.group ?? false })
    if (options.group) groups.add(child)
    endWithUs(child)
    let late = false
    const timer = options.limitMs === undefined ? undefined : setTimeout(stop, options.limitMs)
    function stop() {
      late = true
      kill(child, 'SIGTERM')
      setTimeout(() => kill(child, 'SIGKILL'), 5000).unref()
    }
    child.once('error', (error) => {
      clearTimeout(timer)
      console.error(error.message)
      resolve(127)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (late || ending) kill(child, 'SIGKILL')
      // Whoever asked this process to end wants none of its next steps.
      if (!ending) resolve(late ? 124 : exitCode(code, signal))
    })
  })
}

/** The programs that run now. */
const running = new Set()
/** Programs that lead a process group. */
const groups = new WeakSet()
const patienceMs = 10_000
let [inOrder, ending] = [false, false]

/** From now on, a signal that asks this process to end is passed on to the programs that it runs, and what is registered for its `exit` is done. */
export function endInOrder() {
  if (inOrder) return
  inOrder = true
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end(signal))
}

/** Ends a program that was started when this process is asked to end; returns it. @template {import('node:child_process').ChildProcess} C @param {C} child @returns {C} */
export function endWithUs(child) {
  endInOrder()
  running.add(child)
  return child.once('close', () => running.delete(child)).once('error', () => running.delete(child))
}

function kill(child, signal) {
  if (!groups.has(child)) return void child.kill(signal)
  try {
    process.kill(-child.pid, signal)
  } catch {
    // Nobody is left in the group.
  }
}

async function end(signal) {
  ending = true
  const ended = [...running].map((child) => new Promise((resolve) => void child.once('close', resolve)))
  // Ctrl-C reaches every program of the terminal, except those in groups of their own: a second signal would cut short what they do at their end.
  const hasIt = (child) => signal === 'SIGINT' && process.stdin.isTTY && !groups.has(child)
  for (const child of running) if (!hasIt(child)) kill(child, signal)
  setTimeout(() => running.forEach((child) => kill(child, 'SIGKILL')), patienceMs)
  await Promise.all(ended)
  process.exit(exitCode(null, signal))
}

/** The exit code of an ended program, by the convention of shells. */
export function exitCode(code, signal) {
  return code ?? 128 + (signalNumbers[signal] ?? 1)
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15 }
