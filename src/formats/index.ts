import type { Capability } from '../domain/pages/capture.ts'
import type { Contribution } from '../domain/pages/derivation.ts'
import type { PageReading } from '../content/reading.ts'
import type { Format, FormatType } from '../spec/formats.ts'
import { branding } from './branding/index.ts'
import type { FormatHandler } from './format.ts'
import { highlights, json, query, question, summary } from './meaning.ts'
import { product } from './product.ts'

/** One handler per format: the build fails when one is missing. */
const formats: { readonly [T in FormatType]: FormatHandler<T> } = {
  markdown: { needs: [], run: (reading) => ({ markdown: reading.markdown() }) },
  html: { needs: [], run: (reading) => ({ html: reading.html() }) },
  rawHtml: { needs: [], run: (reading) => ({ rawHtml: reading.text() }) },
  links: { needs: [], run: (reading) => ({ links: [...reading.links()] }) },
  images: { needs: [], run: (reading) => ({ images: [...reading.images()] }) },
  attributes: { needs: [], run: (reading, options) => ({ attributes: [...reading.attributes(options.selectors)] }) },
  menu: { needs: [], run: () => ({ warning: 'The format menu is not produced by this service.' }) },
  deterministicJson: { needs: [], run: () => ({ warning: 'The format deterministicJson is not produced by this service; use json.' }) },
  // The engine takes the picture; its address is decided when the answer is assembled.
  screenshot: { needs: ['screenshot'], run: () => ({}) },
  branding,
  product,
  // The other version is read elsewhere, and compared when the answer is assembled.
  changeTracking: { needs: ['change-tracking'], run: () => ({}) },
  // The media that the page names is fetched when the answer is assembled.
  audio: { needs: ['media'], run: () => ({}) },
  video: { needs: ['media'], run: () => ({}) },
  json,
  summary,
  question,
  highlights,
  query,
}

/** Formats made from the wanted part of the page; all others are made from the whole page. */
const ofContent: ReadonlySet<FormatType> = new Set(['markdown', 'html', 'summary', 'question', 'highlights', 'query'])

/** Whether a format needs the main content. */
export function readsContent(list: readonly Format[]): boolean {
  return list.some((format) => ofContent.has(format.type))
}

/** The capabilities that a list of formats needs, each once. */
export function needsOf(list: readonly Format[]): readonly Capability[] {
  return [...new Set(list.flatMap((format) => formats[format.type].needs))]
}

/** Makes one format from a reading. */
export function contribute(reading: PageReading, format: Format): Contribution {
  const handler = formats[format.type] as FormatHandler<FormatType> // the table's type ties the key to the handler's type
  return handler.run(reading, format)
}
