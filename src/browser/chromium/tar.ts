import { createReadStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createBrotliDecompress } from 'node:zlib'

const blockBytes = 512
const executableBits = 0o111

interface Entry {
  readonly name: string
  readonly mode: number
  readonly isFile: boolean
  readonly content: Uint8Array
}

function field(head: Buffer, at: number, length: number): string {
  return head.toString('latin1', at, at + length).replace(/\0.*$/s, '')
}

/** The files in a ustar archive (POSIX.1-1988); other entries are marked. */
function* tarEntries(archive: Buffer): Generator<Entry> {
  for (let at = 0; at + blockBytes <= archive.length; ) {
    const head = archive.subarray(at, at + blockBytes)
    if (head[0] === 0) return
    const size = Number.parseInt(field(head, 124, 12), 8)
    if (!(size >= 0)) throw new Error('the archive is damaged')
    const prefix = head.toString('latin1', 257, 262) === 'ustar' ? field(head, 345, 155).trim() : ''
    const name = prefix === '' ? field(head, 0, 100) : `${prefix}/${field(head, 0, 100)}`
    const kind = head[156]
    at += blockBytes
    yield { name, mode: Number.parseInt(field(head, 100, 8), 8), isFile: kind === 0x30 || kind === 0, content: archive.subarray(at, at + size) }
    at += Math.ceil(size / blockBytes) * blockBytes
  }
}

/** Unpacks the files of a brotli-compressed archive into a folder; throws for names that lead out of it. */
export async function unpackTar(path: string, folder: string): Promise<void> {
  const archive = await buffer(createReadStream(path).pipe(createBrotliDecompress()))
  for (const { name, mode, isFile, content } of tarEntries(archive)) {
    if (!isFile) continue
    const target = normalize(name)
    if (target.startsWith('..') || target.startsWith('/')) throw new Error('the archive names a file outside of itself')
    await mkdir(dirname(join(folder, target)), { recursive: true, mode: 0o755 })
    await writeFile(join(folder, target), content, { mode: (mode & executableBits) === 0 ? 0o644 : 0o755 })
  }
}
