/** The parts of the interface, in the order in which its documentation shows them. */
const areas = [
  { name: 'Scrape', about: 'One page, or an uploaded file.', paths: ['scrape', 'parse'] },
  { name: 'Batch', about: 'Many URLs as one job.', paths: ['batch'] },
  { name: 'Crawl', about: 'The pages of a site as one job.', paths: ['crawl'] },
  { name: 'Map', about: 'The URLs of a site.', paths: ['map'] },
  { name: 'Search', about: 'Results of the web, scraped if wanted.', paths: ['search'] },
  { name: 'Live browsers', about: 'A browser that stays open: run code in it, connect to it, watch it.', paths: ['browser', 'interact'] },
  { name: 'Changes', about: 'Versions of tracked pages.', paths: ['changes'] },
  { name: 'Team', about: 'Credits, limits and activity.', paths: ['team', 'concurrency-check', 'feedback'] },
  { name: 'Service', about: 'The service itself, and the files that answers link to.', paths: ['', 'artifacts', 'health', 'metrics', 'openapi.json', 'docs'] },
] as const

export type AreaName = (typeof areas)[number]['name']

/** The names and descriptions of the areas, in order. */
export const areaList: readonly { readonly name: AreaName; readonly description: string }[] = areas.map(({ name, about }) => ({ name, description: about }))

/** The area that a path of the interface belongs to. Throws an Error for a path of none. */
export function areaOf(path: string): AreaName {
  const first = path.replace(/^\/v2(?=\/|$)/, '').split('/')[1] ?? ''
  // The live browser of a scrape is reached by the id of the scrape.
  const part = path.endsWith('/interact') ? 'interact' : first
  const area = areas.find(({ paths }) => paths.some((one) => one === part))
  if (area === undefined) throw new Error(`no area for ${path}`)
  return area.name
}
