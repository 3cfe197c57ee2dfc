import { afterEach, expect, it, vi } from 'vitest'
import { jsonLog } from './log.ts'

afterEach(() => vi.restoreAllMocks())

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
