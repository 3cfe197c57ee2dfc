import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { programWalls } from '../../src/sandbox/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'trawl-programs-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true }))

/** The output of a script that runs as an external program with that input. */
async function said(script: string, input: string, reads: readonly string[] = []): Promise<string> {
  const path = join(folder, 'reader')
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const child = await programWalls([]).start({ path, args: ['first', 'second'], reads, env: { OMP_THREAD_LIMIT: '1' } })
  if (child === null) throw new Error('this machine builds no walls (bubblewrap)')
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => void (text += part))
  child.stdin?.end(input)
  await new Promise((resolve) => child.once('close', resolve))
  return text.trim()
}

it('programs that read untrusted files get their input and the files that they need, and nothing else of the machine', async () => {
  process.env['TRAWL_TEST_SECRET'] = 'secret of ours'
  writeFileSync(join(folder, 'shown'), 'shown')
  expect(await said('echo "$1 $2 $(cat)"', 'input')).toBe('first second input')
  expect(await said(`cat ${folder}/shown; cat ${folder}/reader`, '')).toBe('')
  // A folder of ours below /tmp is never visible; folders of the system are.
  expect(await said('ls /usr/share', '', ['/usr/share/misc', '/nowhere'])).toContain('misc')
  expect(await said('cat /etc/passwd /etc/shadow; ls /root /home /work /var', '')).toBe('')
  expect(await said('env | grep -c TRAWL; echo "$OMP_THREAD_LIMIT"', '')).toBe('0\n1')
  expect(await said("tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '", '')).toBe('lo')
  expect(await said('touch /usr/bin/x /trawl/x; touch /tmp/x && echo made', '')).toBe('made')
  expect(await said('ls -d /proc/[0-9]* | wc -l', '')).toMatch(/^[1-9]$/)
  delete process.env['TRAWL_TEST_SECRET']
})
