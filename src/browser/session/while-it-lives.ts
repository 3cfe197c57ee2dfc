import type { Browser } from 'playwright-core'
import { withTimeout } from '../../lib/with-timeout.ts'

/**
 * What `work` in a browser answers. Rejects when the browser ends meanwhile, or that takes longer than `ms`: the driver waits for ever for a page that a
 * browser was about to open when it died, and for what one that hangs was to answer.
 */
export async function whileItLives<T>(browser: Pick<Browser, 'isConnected' | 'once' | 'off'>, work: Promise<T>, ms: number): Promise<T> {
  // Whoever no longer waits for it need not hear of its failure.
  work.catch(() => undefined)
  let leave = (): void => undefined
  const ended = new Promise<never>((_, reject) => {
    const gone = (): void => reject(new Error('The browser ended while it was prepared.'))
    if (!browser.isConnected()) gone()
    browser.once('disconnected', gone)
    leave = () => void browser.off('disconnected', gone)
  })
  try {
    return await withTimeout(Promise.race([work, ended]), ms, (): never => {
      throw new Error('The browser was not prepared in time.')
    })
  } finally {
    leave()
  }
}
