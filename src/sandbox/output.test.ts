import { expect, it } from 'vitest'
import { cpuMs } from '../../test/cpu.ts'
import { wholeText } from './output.ts'

it.each([
  ['of whole letters is unchanged', 'añ€😀', Buffer.from('añ€😀')],
  ['loses a letter that is cut', 'a', Buffer.from('a😀').subarray(0, 4)],
  ['keeps signs for bytes that are no text', 'a��', Buffer.from([0x61, 0xff, 0xff])],
])('text %s', (_, text, bytes) => expect(wholeText(bytes)).toBe(text))

it('text takes linear time for a megabyte of bytes that are none', () => {
  expect(cpuMs(() => wholeText(Buffer.concat([Buffer.alloc(1024 ** 2, 0xff), Buffer.from('a')])))).toBeLessThan(1_000)
})
