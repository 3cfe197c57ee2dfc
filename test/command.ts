import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { environmentOf } from './service.ts'

const bin = fileURLToPath(new URL('../bin/trawl.js', import.meta.url))

/** How a command ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs `trawl …` to its end. */
export function trawlCommand(args: readonly string[], settings: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [bin, ...args], { env: environmentOf(settings), stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })))
}
