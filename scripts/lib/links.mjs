/** Whether the links of the project's pages lead somewhere: to a file that is there, and to a heading that it has. */
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

const fence = /^ {0,3}(`{3,}|~{3,})/
const code = /`[^`]*`/g
/** The target of a link or picture in a line, up to its title. */
const target = /\]\(<?([^)\s>]+)/g
const otherScheme = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i

/** @param {string} root @param {readonly string[]} tracked */
export function lostLinks(root, tracked) {
  const anchors = new Map()
  const anchorsOf = (path) => anchors.get(path) ?? anchors.set(path, headings(root, path)).get(path)
  return tracked.filter(isPage).flatMap((path) =>
    proseOf(root, path).flatMap(({ text, line }) =>
      [...text.replace(code, '').matchAll(target)]
        .map(([, address]) => ({ address, why: lostWhy(address, { path, root, anchorsOf }) }))
        .filter(({ why }) => why !== null)
        .map(({ address, why }) => ({ path, line, level: 'error', rule: 'lost-link', message: `${address}: ${why}` })),
    ),
  )
}

/** Pages that people read; files that tests are made of are material. */
function isPage(path) {
  return path.endsWith('.md') && !path.startsWith('fixtures/') && !path.startsWith('test/documents/')
}

/** What is wrong with the address of a link; null if nothing is, or if it leads out of the project. */
function lostWhy(address, { path, root, anchorsOf }) {
  if (otherScheme.test(address)) return null
  const [file, heading] = address.split('#')
  const to = file === '' ? path : posix.join(posix.dirname(path), decodeURIComponent(file))
  if (!existsSync(join(root, to))) return `there is no ${to}`
  return heading === undefined || !to.endsWith('.md') || anchorsOf(to).has(heading) ? null : `${to} has no such heading`
}

/** The lines of a page outside of its code blocks. */
function proseOf(root, path) {
  let open = null
  return readFileSync(join(root, path), 'utf8')
    .split('\n')
    .map((text, i) => ({ text, line: i + 1 }))
    .filter(({ text }) => {
      const mark = fence.exec(text)?.[1]
      if (open === null) open = mark ?? null
      else if (mark?.startsWith(open)) return void (open = null)
      return open === null
    })
}

/** The anchors of a page as the hosts of repositories make them: lower case, dashes for spaces, numbers behind repeated ones. */
function headings(root, path) {
  const seen = new Map()
  const lines = proseOf(root, path).flatMap(({ text }) => /^#{1,6} +(.+?)(?: +#+)?$/.exec(text)?.[1] ?? [])
  return new Set(
    lines.map((text) => {
      const words = text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
      const slug = words.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
      const before = seen.get(slug) ?? 0
      seen.set(slug, before + 1)
      return before === 0 ? slug : `${slug}-${before}`
    }),
  )
}
