import type { Page, Request } from 'playwright-core'

/**
 * Watches a page's navigations. Returns whether one waits for its site now: until the site answers, the browser keeps what is
 * asked of the page to itself, so that a page that is fine looks like one that hangs.
 */
export function underway(page: Page): () => boolean {
  let waiting: Request | null = null
  const over = (request: Request): void => {
    if (request === waiting) waiting = null
  }
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting = request
  })
  page.on('response', (response) => over(response.request()))
  page.on('requestfailed', over)
  return () => waiting !== null
}
