import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bareClient } from './cdp-client.ts'
import { browserCall, findOptions } from './pool.ts'
import { testSessions } from './sessions.ts'

/** The pids of processes whose command line contains the folder. */
function running(folder: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && Number(name) !== process.pid && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(folder)
    } catch {
      // Ended in the meantime.
      return false
    }
  })
}

const folders = async (parent: string): Promise<readonly string[]> => {
  const [base = ''] = await readdir(parent)
  return readdir(join(parent, base))
}

describe('browsers of sessions', () => {
  it('leave no process, folder or descriptor behind after fifty of them', async () => {
    const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<title>site</title><script>setInterval(() => document.title += 1, 10)</script>'))
    await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void site.close())
    const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}` // a TCP server's address
    const all = await testSessions(['127.0.0.1'], { limits: { spareMs: 2_000 } })
    onTestFinished(() => all.stop())
    const descriptors = (): number => readdirSync('/proc/self/fd').length
    const before = descriptors()
    const use = async (): Promise<void> => {
      const session = await all.sessions.open({ languages: ['en-US'] }, browserCall(60_000))
      await (await session.page()).goto(base)
      const client = await bareClient(session)
      await client.ask('Target.createBrowserContext', {}, null)
      session.watch({ frame: async () => undefined, tell: () => undefined, ended: () => undefined }, 'view')
      await session.close()
    }
    for (let round = 0; round < 10; round++) await Promise.all([use(), use(), use(), use(), use()])
    await expect.poll(() => running(all.parent), { timeout: 15_000 }).toEqual([])
    await expect.poll(() => folders(all.parent), { timeout: 5_000 }).toEqual([])
    expect(descriptors() - before).toBeLessThanOrEqual(2)
  }, 240_000)

  it('die with a service that is killed, and their remains are removed at the next start', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'trawl-killed-'))
    await chmod(parent, 0o711)
    onTestFinished(() => rm(parent, { recursive: true, force: true }))
    const compiled = fileURLToPath(new URL('../../dist', import.meta.url))
    const child = spawn(process.execPath, [fileURLToPath(new URL('session-parent.mjs', import.meta.url)), parent, compiled, basename(findOptions.cacheDir)], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    // The session's browser and the spare one.
    expect(await folders(parent)).toHaveLength(2)
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    await expect.poll(() => running(parent), { timeout: 5_000 }).toEqual([])
    const all = await testSessions([], {}, { folder: parent })
    onTestFinished(() => all.stop())
    const session = await all.sessions.open({ languages: ['en-US'] }, browserCall())
    expect(await folders(parent)).toHaveLength(1)
    await session.close()
  })
})
