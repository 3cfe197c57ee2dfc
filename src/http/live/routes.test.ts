import { expect, it, onTestFinished } from 'vitest'
import { fakeApp } from '../../../test/fakes.ts'
import type { LiveBrowser, LiveDoor } from '../../domain/sessions/live-browser.ts'

const tokens: LiveDoor['tokens'] = { cdp: 'c'.repeat(43), view: 'v'.repeat(43), control: 'i'.repeat(43) }

it.each([
  [false, 200],
  [true, 404],
])('pages of a live session where only others of the fleet are answered (%s): %d', async (peersOnly, status) => {
  const app = fakeApp({ live: { find: () => ({ browser: {} as LiveBrowser, tokens, touch: () => undefined }) } }, { peersOnly }) // nothing of it is used
  onTestFinished(() => app.drain(0))
  const paths = [`view?token=${tokens.view}`, 'view.js', 'view.css', `cdp/json/version?token=${tokens.cdp}`]
  const answers = await Promise.all(['browser', 'interact'].flatMap((folder) => paths.map((path) => app.inject({ url: `/v2/${folder}/abc/${path}`, headers: { host: 'x' } }))))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => status))
})
