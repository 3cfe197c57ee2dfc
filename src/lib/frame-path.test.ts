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
])('%s is only split at the steps into frames', (whole, frames, selector) => expect(framePath(whole)).toEqual({ frames, selector }))

it('a path that was split is joined again', () => expect(throughFrames({ frames: ['a', 'b'], selector: 'c' })).toBe('a >>> b >>> c'))
