import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const rows = readFileSync(here('README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| R\d/.test(line))
  .map((line) => {
    const [, number = '', , tests = '', parts = ''] = line.split('|').map((cell) => cell.trim())
    return { number, tests, parts }
  })
const filesIn = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')

describe('the table of requirements', () => {
  it('has a row for each of R1 to R26, in order', () => {
    expect(rows.map((row) => row.number)).toEqual(Array.from({ length: 26 }, (_, i) => `R${i + 1}`))
  })

  it.each(rows)('$number names tests, and those in this folder carry its number, or says that there are none', ({ number, tests, parts }) => {
    const files = filesIn(tests)
    if ([...files, ...filesIn(parts)].length === 0) expect(tests).toBe('not there yet')
    for (const file of files) expect(readFileSync(here(file), 'utf8')).toMatch(new RegExp(`\\(\\s*['"\`]${number} `))
  })

  it.each(rows)('$number names files that exist', ({ parts }) => {
    const missing = filesIn(parts).filter((file) => !existsSync(here(`../../${file}`)))
    expect(missing).toEqual([])
  })
})
