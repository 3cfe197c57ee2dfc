import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('..', import.meta.url))

/** The key of team `default` that test services are seeded with. */
export const testKey = 'fc-test-key-0123456789'
/** A key of team `other`. */
export const otherKey = 'fc-other-key-0123456789'

/** An answer, with its body parsed if it is JSON. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Tests access the fields of answers by name; the conformance test checks their shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any
}

/** A service built from this tree, running in its own process. */
export interface TestService {
  readonly base: string
  readonly pid: number
  /** The folder of its store. */
  readonly dataDir: string
  /** Everything it has written to standard output and standard error. */
  output(): string
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answered>
  /** POST /v2/scrape with the test key. */
  scrape(body: object, headers?: Readonly<Record<string, string>>): Promise<Answered>
  /** Sends a signal and returns the exit code; null when a signal ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

export interface TestServiceOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  /** A folder to reuse; `stop` does not remove it. */
  readonly dataDir?: string
  /** The Node binary to run; by default that of the test. */
  readonly node?: string
  /** The project folder of the build to run; by default this project. */
  readonly root?: string
  /** A file that the service inherits open, as descriptor `openedAs`. */
  readonly opened?: string
}

/** Higher than the descriptors that Node itself keeps from its child processes. */
export const openedAs = 200

const startLimitMs = 60_000

/** How to end each service that runs. */
const running = new Set<TestService['stop']>()

/** Ends the services that a failed test has left running. */
export async function endServices(): Promise<void> {
  await Promise.all([...running].map((stop) => stop('SIGKILL')))
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
}

/** The environment of a test service, without the caller's own Trawl settings. */
export function environmentOf(settings: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name, value]) => value !== undefined && !name.startsWith('TRAWL_') && name !== 'DATABASE_URL')
  return { ...Object.fromEntries(inherited.map(([name, value]) => [name, value ?? ''])), ...settings }
}

/** Starts a service on a free port. Resolves when it is ready; rejects with its output when it ends first. */
export async function startTrawl(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'trawl-test-'))
  const env = environmentOf({ TRAWL_PORT: '0', TRAWL_FILTER_LISTS: 'off', TRAWL_OCR: 'off', TRAWL_WARM_UP: 'off', TRAWL_MEDIA_EXTRACTOR: 'off', TRAWL_DATA_DIR: dataDir, TRAWL_API_KEYS: `default:${testKey},other:${otherKey}`, ...options.settings })
  const opened = options.opened === undefined ? null : openSync(options.opened, 'r+')
  const more = opened === null ? [] : [...Array.from({ length: openedAs - 3 }, () => 'ignore' as const), opened] // `const`: narrows the type
  const child = spawn(options.node ?? process.execPath, [join(options.root ?? project, 'bin/trawl.js'), 'serve', ...(options.args ?? [])], { env, stdio: ['ignore', 'pipe', 'pipe', ...more] })
  if (opened !== null) closeSync(opened)
  let output = ''
  // When the test run is ended, its processes only lose their line to it, and nobody else would end the service.
  const abandon = (): unknown => child.kill('SIGKILL')
  process.once('disconnect', abandon)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  void ended.then(() => process.off('disconnect', abandon))
  const stop: TestService['stop'] = async (signal = 'SIGTERM') => {
    child.kill(signal)
    const code = await ended
    running.delete(stop)
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    return code
  }
  running.add(stop)
  const ready = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready: ${output}`)), startLimitMs)
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      const ready = /"event":"started"/.test(output) ? (/"address":"([^"]+)"/.exec(output)?.[1] ?? '') : null
      if (ready === null) return
      clearTimeout(timer)
      resolve(ready)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    void ended.then((code) => reject(new Error(`ended with ${code}: ${output}`)))
  })
  const base = await ready.catch(async (error: unknown) => {
    await stop('SIGKILL')
    throw error
  })
  const call: TestService['call'] = async (method, path, body, headers = {}) => {
    const content = body === undefined ? {} : { body: typeof body === 'string' || body instanceof FormData ? body : JSON.stringify(body) }
    // fetch sets the content type of a form, which includes its boundary.
    const type: Record<string, string> = body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }
    return answered(await fetch(base + path, { method, headers: { authorization: `Bearer ${testKey}`, ...type, ...headers }, ...content }))
  }
  return {
    base,
    pid: child.pid ?? 0,
    dataDir,
    output: () => output,
    call,
    scrape: (body, headers) => call('POST', '/v2/scrape', body, headers),
    stop,
  }
}
