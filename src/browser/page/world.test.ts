import { expect, it } from 'vitest'
import { GoneError, goneBy, unlessGone } from './world.ts'

it.each(['Protocol error (Page.captureScreenshot): Not attached to an active page', 'Protocol error (Page.getLayoutMetrics): Inspected target navigated or closed'])('tells that the document has gone: %s', async (message) => {
  await expect(unlessGone(Promise.reject(new Error(message)))).rejects.toThrow(GoneError)
})

it('leaves other errors as they are', async () => {
  const error = new Error('Protocol error (Page.captureScreenshot): Unable to capture screenshot')
  await expect(unlessGone(Promise.reject(error))).rejects.toBe(error)
})

it('does not take a page that crashed for one that went on', () => {
  const crash = new Error('Target crashed')
  expect([goneBy(crash), goneBy(new Error('Cannot find context with specified id'))]).toEqual([crash, expect.any(GoneError)])
})
