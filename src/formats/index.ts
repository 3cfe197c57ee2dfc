import type { Capability } from '../domain/capture.ts'
import type { Contribution } from '../domain/derivation.ts'
import type { PageReading } from '../content/reading.ts'
import type { Format, FormatType } from '../spec/formats.ts'
import { branding } from './branding/index.ts'
import type { FormatHandler } from './format.ts'
import { highlights, json, query, question, summary } from './meaning.ts'
import { product } from './product.ts'

/** One handler per format. Leave one out and the build fails. */
export const formats: { readonly [T in FormatType]: FormatHandler<T> } = {
  markdown: { needs: [], run: (reading) => ({ markdown: reading.markdown() }) },
  html: { needs: [], run: (reading) => ({ html: reading.html() }) },
  rawHtml: { needs: [], run: (reading) => ({ rawHtml: reading.text() }) },
  links: { needs: [], run: (reading) => ({ links: [...reading.links()] }) },
  images: { needs: [], run: (reading) => ({ images: [...reading.images()] }) },
  attributes: { needs: [], run: (reading, options) => ({ attributes: [...reading.attributes(options.selectors)] }) },
  menu: { needs: [], run: () => ({ warning: 'The format menu is not produced by this service.' }) },
  deterministicJson: { needs: [], run: () => ({ warning: 'The format deterministicJson is not produced by this service; use json.' }) },
  // The engine takes the picture; where it is to be had is decided when the answer is put together.
  screenshot: { needs: ['screenshot'], run: () => ({}) },
  branding,
  product,
  // What it compares is read beside the formats; with what, is known when the answer is put together.
  changeTracking: { needs: ['change-tracking'], run: () => ({}) },
  // What the page names is fetched when the answer is put together.
  audio: { needs: ['media'], run: () => ({}) },
  video: { needs: ['media'], run: () => ({}) },
  json,
  summary,
  question,
  highlights,
  query,
}

/** Made of the wanted part of the page; the others come from the whole of it. */
const ofContent: ReadonlySet<FormatType> = new Set(['markdown', 'html', 'summary', 'question', 'highlights', 'query'])

/** Whether some format needs the main content to be found. */
export function readsContent(list: readonly Format[]): boolean {
  return list.some((format) => ofContent.has(format.type))
}

/** What a list of formats needs, each capability once. */
export function needsOf(list: readonly Format[]): readonly Capability[] {
  return [...new Set(list.flatMap((format) => formats[format.type].needs))]
}

/** Makes one format from a reading. */
export function contribute(reading: PageReading, format: Format): Contribution {
  const handler = formats[format.type] as FormatHandler<FormatType> // the key and the handler's type belong together by the table's type
  return handler.run(reading, format)
}
