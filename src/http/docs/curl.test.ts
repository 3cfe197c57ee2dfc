import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { curlOf } from './curl.ts'

/** The words that a shell makes of a command. */
const words = (command: string): string[] => execFileSync('sh', ['-c', command.replace(/^curl/, 'printf "%s\\n"')], { encoding: 'utf8', env: { TRAWL: 'http://trawl.test', KEY: 'fc-1', ID: '7', JOBID: '8' } }).trimEnd().split('\n')

it('a shell reads the command as it is meant, quotes included', () => {
  const value = { code: `await page.click('#more'); "$HOME"` }
  expect(words(curlOf('/v2/scrape/{jobId}/interact', { media: 'application/json', value }))).toEqual(['-s', 'http://trawl.test/v2/scrape/8/interact', '-H', 'Authorization: Bearer fc-1', '-H', 'Content-Type: application/json', '-d', JSON.stringify(value)])
})

it('a file is sent as a form, with the options beside it', () => {
  expect(words(curlOf('/v2/parse', { media: 'multipart/form-data', value: { file: 'report.pdf', options: { formats: ['links'] } } })).slice(4)).toEqual(['-F', 'file=@report.pdf', '-F', 'options={"formats":["links"]}'])
})
