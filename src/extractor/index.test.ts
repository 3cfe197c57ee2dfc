import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import { ownEndpoints } from '../net/index.ts'
import { mediaExtractor } from './index.ts'

const call: Call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: Date.now() + 60_000, retention: 'normal', log: () => undefined }

it('leaves no folder behind when there is no way out', async () => {
  const before = process.env['TMPDIR']
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  process.env['TMPDIR'] = folder
  try {
    const extractor = mediaExtractor({
      program: '/bin/false',
      start: () => Promise.resolve(null),
      ways: { egressFor: () => { throw new Error('no way') } },
      own: ownEndpoints(),
      now: Date.now,
      maxBytes: 1_000,
    })
    await expect(extractor.find({ url: 'https://a.example/', kind: 'video', tier: 'basic', country: undefined, skipTlsVerification: false }, call)).rejects.toThrow('no way')
    expect(await readdir(folder)).toEqual([])
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await rm(folder, { recursive: true, force: true })
  }
})
