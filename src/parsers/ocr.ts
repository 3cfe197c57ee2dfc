import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { Call } from '../domain/call.ts'
import { within } from '../lib/deadline.ts'
import { fairTurns } from '../lib/fair-turns.ts'
import { outputOf } from '../machine/output-of.ts'
import { systemProgram } from '../machine/programs.ts'
import { withPipes } from '../lib/with-pipes.ts'

/** The programs for text recognition, and the expected languages. */
export interface OcrPrograms {
  readonly tesseract: string
  /** Renders pages of PDF files; null when only pictures can be read. */
  readonly pdftoppm: string | null
  /** Names of tesseract's language files, joined with `+`. */
  readonly languages: string
  /**
   * Starts a program confined; null when this machine cannot confine programs. Without it, programs run as the user
   * `nobody`.
   */
  readonly start?: (program: { readonly path: string; readonly args: readonly string[]; readonly reads: readonly string[]; readonly env: Readonly<Record<string, string>> }) => Promise<ChildProcess | null>
}

/** Recognises text in pictures with programs of the machine. */
export interface Recogniser {
  /** The text in a picture; null when the program fails. Throws the signal's reason when aborted. */
  picture(bytes: Uint8Array, call: Call): Promise<string | null>
  /** The text on a page of a PDF, likewise. */
  page(bytes: Uint8Array, pageNumber: number, call: Call): Promise<string | null>
  /** Whether it can read pages of PDF files. */
  readonly pages: boolean
}

/** The programs on this machine; null when tesseract is missing. */
export function findOcrPrograms(languages: string): OcrPrograms | null {
  const tesseract = systemProgram('tesseract')
  return tesseract === null ? null : { tesseract, pdftoppm: systemProgram('pdftoppm'), languages }
}

/**
 * Length of the longer side of a rendered page, in pixels: enough for letters of ordinary size, and a limit for any page.
 */
const longerSide = 2_600
const maxOutput = 64 * 1024 * 1024
/** Time limit of one program, in milliseconds. */
const maxMs = 60_000
/**
 * Limits of memory and processor time, no core files: with those and an empty environment, an exploit in a file gains
 * little.
 */
const limits = 'ulimit -c 0; ulimit -v 2097152 2>/dev/null; ulimit -t 60; exec "$0" "$@"'

/** Runs a command as `nobody`, if the service may change its user. */
function unprivileged(command: readonly string[]): readonly string[] {
  const setpriv = process.getuid?.() === 0 ? systemProgram('setpriv') : null
  return setpriv === null ? command : [setpriv, '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs', ...command]
}

const env = { PATH: '/usr/bin:/bin', OMP_THREAD_LIMIT: '1', LANG: 'C.UTF-8' }
/** What the programs read besides libraries: language files, encodings, fonts. */
const reads = ['/usr/share/tesseract-ocr', '/usr/share/tessdata', '/usr/local/share/tessdata', '/usr/share/poppler', '/usr/share/fonts', '/etc/fonts', '/usr/share/fontconfig', '/var/cache/fontconfig']

type Started = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable }

function asNobody(command: readonly string[]): Started {
  return withPipes(spawn('/bin/sh', ['-c', limits, ...unprivileged(command)], { env, stdio: ['pipe', 'pipe', 'ignore'], cwd: '/' }))
}

/** Starts a program, confined if possible. */
async function started([path = '', ...args]: readonly string[], start: OcrPrograms['start']): Promise<Started> {
  const walled = (await start?.({ path, args, reads, env })) ?? null
  return walled === null ? asNobody([path, ...args]) : (walled as Started) // with pipes, as its contract says
}

/** The output of a program for an input; null when it fails. Throws the signal's reason when aborted. */
async function output(command: readonly string[], input: Uint8Array, { start, signal }: Pick<OcrPrograms, 'start'> & { readonly signal: AbortSignal }): Promise<Buffer | null> {
  signal.throwIfAborted()
  const child = await started(command, start).catch(() => null)
  if (child === null) return null
  // A program may end before it has read everything; its exit tells the result.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const all = await outputOf(child, maxOutput, within({ signal }, maxMs))
  signal.throwIfAborted()
  return all
}

/** Those of the expected languages that tesseract has no file for; null when it does not say what it has. */
export async function missingLanguages({ tesseract, languages, start }: OcrPrograms, signal: AbortSignal): Promise<readonly string[] | null> {
  const said = await output([tesseract, '--list-langs'], new Uint8Array(), { start, signal })
  const there = said?.toString('utf8').split('\n').map((line) => line.trim())
  return there === undefined ? null : languages.split('+').filter((name) => !there.includes(name))
}

/** Recognises text with these programs, one picture at a time. */
export function recogniser({ tesseract, pdftoppm, languages, start }: OcrPrograms): Recogniser {
  const inTurn = fairTurns(1)
  const read = async (picture: Uint8Array, { signal }: Call): Promise<string | null> => (await output([tesseract, 'stdin', 'stdout', '-l', languages], picture, { start, signal }))?.toString('utf8').replaceAll('\f', '') ?? null
  return {
    pages: pdftoppm !== null,
    picture: (bytes, call) => inTurn(call, () => read(bytes, call)),
    page: (bytes, pageNumber, call) =>
      inTurn(call, async () => {
        if (pdftoppm === null) return null
        const number = String(pageNumber)
        const picture = await output([pdftoppm, '-q', '-gray', '-png', '-scale-to', String(longerSide), '-f', number, '-l', number, '-'], bytes, { start, signal: call.signal })
        return picture === null || picture.length === 0 ? null : read(picture, call)
      }),
  }
}
