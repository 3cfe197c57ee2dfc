import { afterEach, expect, it, vi } from 'vitest'
import { jsonLog } from './log.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('a log line is JSON of level, time, fields and event, and nothing below the level is written', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const log = jsonLog('warn')
  log('info', 'started')
  log('warn', 'slow', { ms: 3, reason: 'a\n"b"', missing: undefined })
  const lines = write.mock.calls.map(([line]) => String(line))
  expect(lines.map((line) => line.replace(/"time":"[-\dT:.]+Z"/, '"time":""'))).toEqual(['{"level":"warn","time":"","ms":3,"reason":"a\\n\\"b\\"","event":"slow"}\n'])
})

it('a silent log writes nothing', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  jsonLog('silent')('error', 'store-died')
  expect(write).not.toHaveBeenCalled()
})

it('lines in quick succession are written together, in order, and warnings are not delayed', () => {
  vi.useFakeTimers()
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const written = (): readonly string[][] => write.mock.calls.splice(0).map(([lines]) => [...String(lines).matchAll(/"event":"(\w+)"/g)].map(([, event = '']) => event))
  const log = jsonLog('info')
  for (const event of ['first', 'second', 'third']) log('info', event)
  expect(written()).toEqual([['first']])
  vi.advanceTimersByTime(50)
  expect(written()).toEqual([['second', 'third']])
  for (const event of ['fourth', 'fifth']) log('info', event)
  log('error', 'fault')
  expect(written()).toEqual([['fourth'], ['fifth', 'fault']])
  log('info', 'last')
  process.listeners('exit').at(-1)?.(0)
  expect(written()).toEqual([['last']])
})
