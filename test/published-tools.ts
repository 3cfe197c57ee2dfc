import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { once } from '../src/lib/once.ts'
import type { Ended } from './command.ts'
import { environmentOf } from './service.ts'

const folder = fileURLToPath(new URL('published', import.meta.url))
const installMs = 300_000

/**
 * Installs the tools of `test/published` if they are missing; returns their folder. Rejects when that fails, because
 * tests that need them cannot pass.
 */
const installed = once(async (): Promise<string> => {
  const bin = join(folder, 'node_modules/.bin')
  if (!existsSync(join(bin, 'firecrawl-mcp'))) await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, timeout: installMs })
  return bin
})

/** A user's machine with the tools installed: its own home folder, and the service in its environment. */
export interface Desk {
  readonly home: string
  /** Runs the official command line to its end. */
  cli(...args: readonly string[]): Promise<Ended>
  /** Starts the official MCP server; it answers until `close`. */
  mcp(): Promise<Mcp>
  close(): void
}

/** A connection to an MCP server over its standard input and output. */
export interface Mcp {
  // Tests access the fields of answers by name.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  ask(method: string, params?: object): Promise<any>
  close(): void
}

function conversation(child: ChildProcess): Mcp {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const waiting = new Map<number, { resolve(result: any): void; reject(error: Error): void }>()
  let errors = ''
  let last = 0
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.once('exit', () => {
    for (const one of waiting.values()) one.reject(new Error(`the MCP server ended: ${errors}`))
  })
  if (child.stdout) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, result, error } = JSON.parse(line)
      const one = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) one?.resolve(result)
      else one?.reject(new Error(JSON.stringify(error)))
    })
  }
  const send = (message: object): void => void child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return {
    ask(method, params = {}) {
      if (method.startsWith('notifications/')) return Promise.resolve(send({ method, params }))
      const id = ++last
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        send({ id, method, params })
      })
    },
    close: () => void child.kill(),
  }
}

/** Sets up a desk whose tools use the service at that address. */
export async function desk(base: string, key: string): Promise<Desk> {
  const bin = await installed()
  const home = mkdtempSync(join(tmpdir(), 'trawl-desk-'))
  const env = environmentOf({ HOME: home, FIRECRAWL_API_URL: base, FIRECRAWL_API_KEY: key, FIRECRAWL_NO_TELEMETRY: '1', FIRECRAWL_NO_UPDATE_CHECK: '1', NO_COLOR: '1' })
  const start = (name: string, args: readonly string[], stdin: 'ignore' | 'pipe'): ChildProcess => spawn(process.execPath, [join(bin, name), ...args], { cwd: home, env, stdio: [stdin, 'pipe', 'pipe'] })
  return {
    home,
    cli(...args) {
      const child = start('firecrawl', args, 'ignore')
      const texts = { stdout: '', stderr: '' }
      child.stdout?.on('data', (chunk: Buffer) => (texts.stdout += chunk.toString()))
      child.stderr?.on('data', (chunk: Buffer) => (texts.stderr += chunk.toString()))
      return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...texts })))
    },
    async mcp() {
      const talk = conversation(start('firecrawl-mcp', [], 'pipe'))
      await talk.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
      await talk.ask('notifications/initialized')
      return talk
    },
    close: () => rmSync(home, { recursive: true, force: true }),
  }
}
