import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startTrawl } from '../service.ts'
import { startSite } from '../site/index.ts'

const sessions = 50
const atOnce = 4

/** The open descriptors of a process, except for those that come and go. */
function heldBy(pid: number): readonly string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`).replace(/\d+/g, 'n')]
    } catch {
      return []
    }
  })
}

/** The descendants of a process. */
function childrenOf(pid: number): readonly string[] {
  const parents = new Map(
    readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
        return [[name, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''] as const]
      } catch {
        return []
      }
    }),
  )
  const descends = (name: string | undefined): boolean => name !== undefined && name !== '0' && (name === String(pid) || descends(parents.get(name)))
  return [...parents.keys()].filter((name) => name !== String(pid) && descends(name))
}

it(`${sessions} sessions, opened, used and stopped, leave no process, folder or descriptor behind`, async () => {
  const site = await startSite()
  const parent = mkdtempSync(join(tmpdir(), 'trawl-sessions-'))
  chmodSync(parent, 0o711)
  const trawl = await startTrawl({ settings: { TMPDIR: parent, TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}` } })
  onTestFinished(async () => {
    await trawl.stop('SIGKILL')
    await site.close()
    rmSync(parent, { recursive: true, force: true })
  })
  const round = async (n: number): Promise<void> => {
    const language = (['bash', 'node', 'python'] as const)[n % 3]
    const made = await trawl.call('POST', '/v2/browser', n % 4 === 0 ? { profile: { name: `p${n}` } } : {})
    expect(made.json).toMatchObject({ success: true })
    const run = await trawl.call('POST', `/v2/browser/${made.json.id}/execute`, { language, code: language === 'bash' ? 'get url' : `await page.goto('${site.url('/article')}'); 1` })
    expect(run.json).toMatchObject({ success: true, exitCode: 0 })
    expect((await trawl.call('DELETE', `/v2/browser/${made.json.id}`)).json).toMatchObject({ success: true })
  }
  // The first ones open what stays open.
  await Promise.all([0, 1, 2, 3].map(round))
  // A spare browser for the next session ends by itself after a minute.
  const alone = (): Promise<void> => expect.poll(() => childrenOf(trawl.pid), { timeout: 120_000, interval: 500 }).toEqual([])
  await alone()
  const before = heldBy(trawl.pid).length
  for (let n = 4; n < sessions; n += atOnce) await Promise.all(Array.from({ length: Math.min(atOnce, sessions - n) }, (_, i) => round(n + i)))
  await alone()
  const folders = join(parent, `trawl-browsers-${process.getuid?.() ?? 0}`)
  expect(heldBy(trawl.pid).length - before).toBeLessThan(5)
  expect(existsSync(folders) ? readdirSync(folders) : []).toEqual([])
  expect((await trawl.call('GET', '/v2/browser?status=active')).json.sessions).toEqual([])
  expect(readdirSync(parent).filter((name) => name.startsWith('trawl-code'))).toEqual([])
}, 900_000)
