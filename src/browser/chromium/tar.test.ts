import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { unpackTar } from './tar.ts'

/** An archive with one file. */
function archive(name: string, content: string, size = content.length.toString(8)): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0)
  head.write('0000644', 100)
  head.write(size.padStart(11, '0'), 124)
  head.write('0', 156)
  head.write('ustar', 257)
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([head, body, Buffer.alloc(1024)])
}

async function unpack(bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-tar-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'a.tar.br'), brotliCompressSync(bytes))
  await unpackTar(join(folder, 'a.tar.br'), join(folder, 'out'))
  return join(folder, 'out')
}

it('unpacks files into folders', async () => {
  expect(await readFile(join(await unpack(archive('lib/a.so', 'bytes')), 'lib/a.so'), 'utf8')).toBe('bytes')
})

it.each(['../evil', '/etc/evil', 'a/../../evil'])('refuses the name %s', async (name) => {
  await expect(unpack(archive(name, 'x'))).rejects.toThrow('outside')
})

it('detects damage', async () => {
  await expect(unpack(archive('a', 'x', 'zzz'))).rejects.toThrow('damaged')
})
