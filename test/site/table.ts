import { document, htmlType, type Page, type Pages } from './page.ts'
import { actions } from './pages/actions.ts'
import { articles } from './pages/articles.ts'
import { brands } from './pages/brands.ts'
import { cached } from './pages/cached.ts'
import { charsets } from './pages/charsets.ts'
import { counters } from './pages/counters.ts'
import { encodings } from './pages/encodings.ts'
import { faults } from './pages/faults.ts'
import { files } from './pages/files.ts'
import { large } from './pages/large.ts'
import { media } from './pages/media.ts'
import { redirects } from './pages/redirects.ts'
import { requests } from './pages/requests.ts'
import { rich } from './pages/rich.ts'
import { scripts } from './pages/scripts.ts'
import { slow } from './pages/slow.ts'
import { statuses } from './pages/statuses.ts'
import { walls } from './pages/walls.ts'

/** All pages by path; a new group is one file and one line. */
const pages: Pages = { ...actions, ...articles, ...brands, ...cached, ...charsets, ...counters, ...encodings, ...faults, ...files, ...large, ...media, ...redirects, ...requests, ...rich, ...scripts, ...slow, ...statuses, ...walls }

const families = Object.entries(pages).flatMap(([path, page]) => (path.endsWith('*') ? [{ start: path.slice(0, -1), page }] : []))

const missing: Page = (visit, answer) => answer.send(404, { 'content-type': htmlType }, document('Not found', `<h1>Not found</h1>\n<p>There is no page at ${visit.path.replaceAll('<', '')}.</p>`))

/** The paths of the table; families with their `*`. */
export const paths: readonly string[] = Object.keys(pages)

/** The page for a path; a 404 page if there is none. */
export function pageAt(path: string): Page {
  return pages[path] ?? families.find(({ start }) => path.startsWith(start))?.page ?? missing
}
