import { isObject, type JsonObject } from '../../../lib/is-object.ts'
import { isoDate } from './dates.ts'
import { type Format, type Found, maxTitle } from './entries.ts'
import { shortText } from './short.ts'

/** JSON can only be parsed as a whole, and a larger file would block everything else. */
const maxJson = 4 * 2 ** 20

/** The first of these fields that is a non-blank string. */
function textOf(item: JsonObject, ...names: readonly string[]): string | undefined {
  return names.map((name) => item[name]).find((value) => typeof value === 'string' && value.trim() !== '') as string | undefined // the condition says so
}

/** Reads a JSON feed (https://www.jsonfeed.org/version/1.1). */
export function jsonFormat(found: Found): Format {
  let text = ''
  const over = (): boolean => text.length > maxJson
  return {
    write(more) {
      if (!over()) text += more
    },
    over,
    end(cut) {
      if (cut || over()) return false
      const feed = parsed(text)
      const items = isObject(feed) && Array.isArray(feed['items']) ? feed['items'] : []
      for (const item of items) if (isObject(item) && !found.full) add(item, found)
      return feed !== undefined || !text.includes('"items"')
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The file was cut, or is no JSON; the caller decides which.
    return undefined
  }
}

function add(item: JsonObject, found: Found): void {
  const id = textOf(item, 'id')
  // Many items have only their id, which is an address.
  const url = textOf(item, 'url') ?? (id !== undefined && /^https?:\/\//i.test(id) ? id : undefined)
  if (url === undefined) return
  const title = textOf(item, 'title')?.trim().replace(/\s+/g, ' ').slice(0, maxTitle)
  const description = shortText(textOf(item, 'summary', 'content_text') ?? '')
  const date = isoDate(textOf(item, 'date_modified', 'date_published')?.trim() ?? '')
  found.add('feed', url, { ...(date !== undefined && { lastModified: date }), ...(title !== undefined && { title }), ...(description !== undefined && { description }) })
}
