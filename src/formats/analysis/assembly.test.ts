import { expect, it } from 'vitest'
import { pack, unpack } from '../../domain/pages/packed.ts'
import { assembled } from './assembly.ts'

const markdown = '# Tide\n\nCookies, cookies, cookies, cookies, cookies, cookies, cookies.\n\nMenu, menu, menu, menu, menu, menu, menu, menu, menu, menu.\n\nThe tide rises.\n'
const bytes = pack({ fields: { markdown }, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: 1, removals: [], warnings: [] }).bytes()
const cleaned = (part: 'content' | 'page', clean: readonly number[]) => unpack(assembled({ bytes, parts: [], clean, part, grounds: false, passing: false, without: [], saved: false }))

it('a model may remove most of a whole page as boilerplate, but not of its main content', () => {
  expect(cleaned('page', [1, 2]).fields().markdown).toBe('# Tide\n\nThe tide rises.\n')
  expect(cleaned('page', [0, 1, 2, 3]).facts.formatWarning).toContain('most of the page')
  expect([cleaned('content', [1, 2]).fields().markdown, cleaned('content', [1, 2]).facts.formatWarning]).toEqual([markdown, expect.stringContaining('most of the page')])
})
