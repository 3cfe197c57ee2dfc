import { describe, expect, it } from 'vitest'
import type { CdpChannel, Language } from '../../domain/sessions/sandbox.ts'
import { dialogs } from './dialogs.ts'

const opening = (sessionId: string): string => JSON.stringify({ method: 'Page.javascriptDialogOpening', params: { message: 'x' }, sessionId })
const closing = (sessionId: string): string => JSON.stringify({ method: 'Page.javascriptDialogClosed', params: {}, sessionId })

/** Interpreters that the test can speak for. */
function several(...languages: readonly Language[]) {
  const keep = dialogs()
  const all = languages.map((language) => {
    let listener: ((text: string) => void) | null = null
    let gone = (): void => undefined
    const closed = new Promise<void>((resolve) => (gone = resolve))
    const channel: CdpChannel = { closed, close: () => gone(), send: () => undefined, onMessage: (next) => void (listener = next) }
    const line = keep.line(language, channel)
    const told: string[] = []
    line.onMessage((text) => void told.push(text))
    return { line, told, hear: (text: string) => listener?.(text) }
  })
  return { keep, all }
}

/** Begins a run that lasts until it is ended. */
function underWay(keep: ReturnType<typeof dialogs>, language: Language): () => Promise<void> {
  let end = (): void => undefined
  const run = keep.during(language, () => new Promise<void>((resolve) => (end = resolve)))
  return async () => {
    end()
    await run
  }
}

describe('dialogs of a session', () => {
  it('go to the running interpreter; the others learn at its end of those it left open', async () => {
    const { keep, all } = several('node', 'python')
    const [node, python] = all
    for (const one of all) one.line.send('{"id":1,"method":"Page.enable","params":{}}')
    const end = underWay(keep, 'node')
    for (const session of ['answered', 'left']) {
      node?.hear(opening(session))
      python?.hear(opening(session))
    }
    for (const one of all) one.hear(closing('answered'))
    const other = JSON.stringify({ id: 1, result: { value: { method: 'Page.javascriptDialogOpening' } } })
    python?.hear(other)
    expect([node?.told, python?.told]).toEqual([[opening('answered'), opening('left'), closing('answered')], [other]])
    await end()
    expect(python?.told).toEqual([other, opening('left')])
    python?.hear(opening('later'))
    expect(python?.told.at(-1)).toBe(opening('later'))
  })

  it('go to all interpreters while the running one does not listen', async () => {
    const { keep, all } = several('node', 'python')
    const [node, python] = all
    const end = underWay(keep, 'node')
    python?.hear(opening('a'))
    node?.line.send('{"id":1,"method":"Page.enable","params":{}}')
    python?.hear(opening('b'))
    node?.line.close()
    await node?.line.closed
    await Promise.resolve()
    python?.hear(opening('c'))
    expect(python?.told).toEqual([opening('a'), opening('c')])
    await end()
    expect(python?.told).toEqual([opening('a'), opening('c'), opening('b')])
    // A Bash run does not receive dialogs.
    const endBash = underWay(keep, 'bash')
    python?.hear(opening('d'))
    expect(python?.told.at(-1)).toBe(opening('d'))
    await endBash()
  })

  it('are left to a run of commands that is to answer them', async () => {
    const { keep, all } = several('node')
    const [node] = all
    keep.leave(true)
    const end = underWay(keep, 'bash')
    for (const session of ['answered', 'open']) node?.hear(opening(session))
    node?.hear(closing('answered'))
    keep.leave(false)
    node?.hear(opening('later'))
    expect(node?.told).toEqual([opening('later')])
    keep.leave(true)
    await end()
    expect(node?.told).toEqual([opening('later'), opening('open')])
    node?.hear(opening('between'))
    expect(node?.told.at(-1)).toBe(opening('between'))
  })

  it('that follow the one that commands answer are not left to them', () => {
    const { keep, all } = several('node')
    const [node] = all
    underWay(keep, 'bash')
    for (const _ of [1, 2]) {
      keep.leave(true)
      for (const text of [opening('a'), closing('a'), opening('a')]) node?.hear(text)
      expect(node?.told.splice(0)).toEqual([opening('a')])
    }
  })

  it('stay with the later run when one that was given up ends', async () => {
    const { keep, all } = several('node', 'python')
    const [node, python] = all
    for (const one of all) one.line.send('{"id":1,"method":"Page.enable","params":{}}')
    const endFirst = underWay(keep, 'python')
    const endSecond = underWay(keep, 'node')
    await endFirst()
    node?.hear(opening('a'))
    python?.hear(opening('a'))
    expect([node?.told, python?.told]).toEqual([[opening('a')], []])
    await endSecond()
  })
})
