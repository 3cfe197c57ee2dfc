import { expect, it } from 'vitest'
import type { Language, SandboxLevels } from '../domain/sessions/sandbox.ts'
import { levelsOf } from './levels.ts'

const site = { tools: { bwrap: '/usr/bin/bwrap', prlimit: '/usr/bin/prlimit', setpriv: '/usr/bin/setpriv' }, root: true, hidden: [] }
const python = { python: { path: '/usr/bin/python3', version: '3.11.2', folders: [], paths: [], playwright: null }, how: 'no playwright package' }
const none = { why: 'bubblewrap is not installed' }

/** The level of each language and whether it is missing. */
const told = (levels: SandboxLevels): object => Object.fromEntries((['node', 'python', 'bash'] satisfies Language[]).map((language) => [language, [levels[language].level, levels[language].missing]]))

it.each([
  ['walls and a Python', site, python, false, ['os', false], ['os', false]],
  ['walls where the operator would do without', site, python, true, ['os', false], ['os', false]],
  ['walls and no Python', site, null, false, ['os', false], ['off', true]],
  ['no walls', none, python, false, ['interpreter', false], ['off', false]],
  ['no walls, as the operator wants', none, python, true, ['trusted', false], ['trusted', false]],
  ['nothing at all', none, null, true, ['trusted', false], ['off', true]],
] as const)('confines code as far as it can: %s', (...[, walls, found, unsafe, node, ofPython]) => {
  expect(told(levelsOf(walls, found, unsafe))).toEqual({ node, python: ofPython, bash: ['commands', false] })
})

it('the reason why code is not run is reported', () => expect(levelsOf(none, python, false).python).toEqual({ level: 'off', reason: 'bubblewrap is not installed', missing: false }))

it('the version of Python and the kind of its page are reported', () => expect(levelsOf(site, python, false).python.reason).toBe('bubblewrap, as a user without rights; Python 3.11.2, no playwright package'))
