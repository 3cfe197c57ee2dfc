/** Routes of the interface that official clients know and this service does not have, with what does the same or the nearest. */
const absent: readonly (readonly [RegExp, string])[] = [
  [/^\/v2\/extract(?:\/|$)/, '/v2/extract is not part of this service: ask POST /v2/scrape or /v2/batch/scrape for the format json, or a crawl with it in scrapeOptions.'],
  [/^\/v2\/agent(?:\/|$)/, '/v2/agent is not part of this service: the format json answers from given pages, POST /v2/search with scrapeOptions from found ones, and POST /v2/scrape/{jobId}/interact with a prompt acts on a page.'],
  [/^\/v2\/monitor(?:\/|$)/, '/v2/monitor is not part of this service: the format changeTracking says what changed since the page was last asked for.'],
  [/^\/v2\/search\/(?:research|developer)(?:\/|$)/, 'The indexes of papers and of code are not part of this service: POST /v2/search takes the categories research and code_hosting.'],
  [/^\/v2\/v2(?:\/|$)/, 'This path has /v2 twice: give this client the address of the service without it.'],
  [/^\/(?:scrape|batch|crawl|map|search|parse|browser|interact|team|concurrency-check)(?:\/|$)/, 'Paths of the interface begin with /v2: give this client the address of the service with it.'],
  [/^\/v[01](?:\/|$)/, 'Only version 2 of the interface is here: paths begin with /v2.'],
]

/** What to use in place of a route that there is not; undefined where nothing is known to be meant. */
export const insteadOf = (path: string): string | undefined => absent.find(([route]) => route.test(path))?.[1]
