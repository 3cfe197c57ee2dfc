import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { adHosts } from './hosts.ts'
import { filterLists } from './lists.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-lists-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const log = (): void => undefined

describe('filter lists', () => {
  it('block what they name, and cache their compiled form for the next start', async () => {
    writeFileSync(join(folder, 'mine.txt'), '||tracker.example^$third-party\n/banner/*$image\n@@||tracker.example/needed.js\n')
    const data = join(folder, 'data')
    const first = filterLists({ lists: folder, folder: data, log })
    expect(first.matcher()).toBeNull()
    await first.ready()
    const asked = ['https://tracker.example/a.js', 'https://tracker.example/needed.js', 'https://news.example/a.js'].map((url) => first.matcher()?.({ url, kind: 'Script', pageUrl: 'https://news.example/' }))
    expect([...asked, first.matcher()?.({ url: 'https://news.example/banner/1.png', kind: 'Image', pageUrl: 'https://news.example/' })]).toEqual([true, false, false, true])
    const [compiled = ''] = readdirSync(data)
    const written = statSync(join(data, compiled)).mtimeMs
    const second = filterLists({ lists: folder, folder: data, log })
    await second.ready()
    expect([readdirSync(data), statSync(join(data, compiled)).mtimeMs, second.matcher()?.({ url: 'https://tracker.example/a.js', kind: 'Script', pageUrl: 'https://news.example/' })]).toEqual([[compiled], written, true])
  })

  it.each([['off'], ['/nowhere']])('are not used with the setting %s', async (lists) => {
    const none = filterLists({ lists, folder: join(folder, 'data'), log })
    await none.ready()
    expect([none.matcher(), readdirSync(folder)]).toEqual([null, []])
  })

  it('are skipped if they cannot be read, and that is logged', async () => {
    const said: string[] = []
    writeFileSync(join(folder, 'mine.txt'), '||tracker.example^\n')
    const first = filterLists({ lists: folder, folder, log })
    await first.ready()
    const [compiled = ''] = readdirSync(folder).filter((name) => name.endsWith('.bin'))
    writeFileSync(join(folder, compiled), 'not what was written')
    const second = filterLists({ lists: folder, folder, log: (event) => void said.push(event) })
    await second.ready()
    expect([second.matcher(), said]).toEqual([null, ['filter-lists-not-loaded']])
  })
})

describe('the built-in list', () => {
  it('does not block the host of the page itself', () => {
    expect([adHosts('https://news.example/').includes('criteo.com'), adHosts('https://www.criteo.com/').includes('criteo.com')]).toEqual([true, false])
  })
})
