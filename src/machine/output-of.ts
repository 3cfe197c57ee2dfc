import type { ChildProcess } from 'node:child_process'

/**
 * What a program with a pipe for its output writes until it ends; null when it fails, or writes more than `maxBytes`. The program is killed
 * then, and when `signal` is aborted.
 */
export async function outputOf(child: ChildProcess, maxBytes: number, signal: AbortSignal): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let size = 0
  const end = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  child.stdout?.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > maxBytes) end()
    else pieces.push(piece)
  })
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  signal.removeEventListener('abort', end)
  return code === 0 && size <= maxBytes ? Buffer.concat(pieces) : null
}
