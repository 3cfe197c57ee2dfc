import { expect, it } from 'vitest'
import { withWrittenBullets } from './bullets.ts'

it.each([
  ['- ** simple rules', '- simple rules'],
  ['  - ** with **bold** words', '  - with **bold** words'],
  ['- **bold** words', '- **bold** words'],
  ['• words', '- words'],
])('writes %s as %s', (markdown, made) => expect(withWrittenBullets(markdown)).toBe(made))
