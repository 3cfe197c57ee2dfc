import { expect, it } from 'vitest'
import { isOverwhelmed } from './overwhelmed.ts'

type Answer = Parameters<typeof isOverwhelmed>
const page: Answer[0] = { status: 200, engine: 'http' }
const empty: Answer[1] = { verdict: 'empty', scriptDemand: null }

it.each<readonly [string, Partial<Answer[0]>, Partial<Answer[1]>, boolean]>([
  ['an empty page', {}, {}, true],
  ['an empty page with another success status', { status: 202 }, {}, true],
  ['a page that says that it is busy', {}, { verdict: 'ok', busy: true }, true],
  ['the same from a browser', { engine: 'browser' }, { verdict: 'ok', busy: true }, true],
  ['a page with content', {}, { verdict: 'ok' }, false],
  ['an answer that is meant to be empty', { status: 204 }, {}, false],
  ['an empty page of an error', { status: 404 }, {}, false],
  ['an empty page of a redirect', { status: 302 }, { busy: true }, false],
  ['a page that a browser found empty', { engine: 'browser' }, {}, false],
  ['a page that needs its scripts', {}, { scriptDemand: 'its content comes by script' }, false],
  ['a page around a file', {}, { embedded: 'https://site.test/file.pdf' }, false],
])('tells whether the site was overwhelmed: %s', (_, capture, facts, expected) => {
  expect(isOverwhelmed({ ...page, ...capture }, { ...empty, ...facts })).toBe(expected)
})
