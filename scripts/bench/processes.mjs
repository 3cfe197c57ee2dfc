/** Starts, queries and stops the processes of a benchmark. */
import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ownFolder } from '../lib/own-folder.mjs'
import { endWithUs } from '../lib/run.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const hasProc = existsSync('/proc/self/stat')
const ticksPerSecond = hasProc ? Number(execFileSync('getconf', ['CLK_TCK']).toString()) : 1

/** CPU seconds (user and system) and resident megabytes of a process, including its threads. */
export function usageOf(pid) {
  if (!hasProc) {
    const [rss, time] = execFileSync('ps', ['-o', 'rss=,time=', '-p', String(pid)]).toString().trim().split(/\s+/)
    return { cpuS: time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0), rssMb: Number(rss) / 1024 }
  }
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0
  return { cpuS: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, rssMb: Number(rss) / 1024 }
}

async function failed(child, file) {
  await once(child, 'exit')
  throw new Error(`${file} ended before it was ready.`)
}

/** Starts a module that reports `{ port, … }` once it listens. */
export async function startHelper(file, ...args) {
  const child = endWithUs(fork(join(root, 'scripts/bench', file), args.map(String), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }))
  const [message] = await Promise.race([once(child, 'message'), failed(child, file)])
  return { ...message, pid: child.pid, url: `http://127.0.0.1:${message.port}`, stop: () => stop(child) }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await ended
  clearTimeout(late)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

export const key = 'bench-key-0123456789'

/** The settings of the benchmark only: a real service's settings in the caller's environment must not apply. */
function environment(port, folder) {
  const outer = Object.entries(process.env).filter(([name]) => !/^(TRAWL_|DATABASE_URL$|NODE_OPTIONS$)/.test(name))
  return { ...Object.fromEntries(outer), TRAWL_PORT: String(port), TRAWL_DATA_DIR: folder, TRAWL_API_KEYS: `default:${key}`, TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1/32' }
}

/** Starts the built service on an empty folder. Returns before it listens. */
export async function startService() {
  const port = await freePort()
  const folder = ownFolder('trawl-bench-')
  const child = endWithUs(spawn(process.execPath, [join(root, 'bin/trawl.js'), 'serve'], { env: environment(port, folder), stdio: ['ignore', 'ignore', 'inherit'] }))
  return {
    pid: child.pid,
    folder,
    url: `http://127.0.0.1:${port}`,
    ended: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      await stop(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
