import { expect, it } from 'vitest'
import { framePath, throughFrames } from './frame-path.ts'

it.each([
  ['a > b >> c', [], 'a > b >> c'],
  ['iframe >>> button', ['iframe'], 'button'],
  ['#a >>> iframe:nth-of-type(2) >>> input[name="x"]', ['#a', 'iframe:nth-of-type(2)'], 'input[name="x"]'],
  ['a[title="x >>> y"]', [], 'a[title="x >>> y"]'],
  [String.raw`a[title="\" >>> "] >>> b[alt=' >>> ']`, [String.raw`a[title="\" >>> "]`], "b[alt=' >>> ']"],
  ['a>>>b', [], 'a>>>b'],
  ['iframe >>> ', ['iframe'], ''],
  ['"', [], '"'],
])('takes %s apart at the steps into frames alone', (whole, frames, selector) => expect(framePath(whole)).toEqual({ frames, selector }))

it('joins what it has split', () => expect(throughFrames({ frames: ['a', 'b'], selector: 'c' })).toBe('a >>> b >>> c'))
