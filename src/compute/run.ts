import { indexOf, shownText } from '../content/indexing/index.ts'
import type { References } from '../domain/crawl/discovery.ts'
import type { Capture } from '../domain/pages/capture.ts'
import type { PageReading } from '../content/reading.ts'
import type { Contribution, Derivation, DeriveOrder, PageIndex, Shown } from '../domain/pages/derivation.ts'
import type { Steps } from '../lib/in-steps.ts'
import { contribute, readsContent } from '../formats/index.ts'
import type { FormatType } from '../spec/formats.ts'
import { isModelled, materialOf } from '../formats/material.ts'
import { lacksMedia, mediaFacts } from '../formats/media.ts'
import { withoutModel } from '../formats/nothing.ts'
import { trackedOf, tracksFields } from '../formats/tracking.ts'
import { noModel } from '../formats/warnings.ts'

/** Makes the formats of an order from one reading, and joins their warnings. */
function contributions(reading: PageReading, order: DeriveOrder): Contribution {
  const parts = order.formats.filter((format) => order.model === undefined || !isModelled(format.type)).map((format) => contribute(reading, format))
  const byRules = order.read.onlyCleanContent === true && order.formats.some((format) => format.type === 'markdown') ? [noModel.clean] : []
  const warning = [...parts.flatMap((part) => part.warning ?? []), ...byRules].join(' ')
  return { ...Object.assign({}, ...parts), ...(warning === '' ? {} : { warning }) }
}

/** The search index entry of a page; null if the page is not the one that was asked for. */
function findable(reading: PageReading, fields: Contribution, order: DeriveOrder): { readonly index?: PageIndex; readonly shown?: Shown } {
  if (order.index !== true || reading.verdict() !== 'ok' || reading.isBusy()) return {}
  const index = indexOf({ metadata: reading.metadata(), markdown: fields.markdown ?? reading.markdown(), pictures: reading.pictures(), source: reading.text() })
  return { index, shown: { pictures: index.pictures, ...(fields.markdown === undefined ? { text: shownText(reading.markdown()) } : {}) } }
}

function found({ all, unfollowed }: References): Pick<Derivation, 'found' | 'unfollowed'> {
  return unfollowed.length === 0 ? { found: all } : { found: all, unfollowed }
}

/** The claims of a page are passed on as received; the caller decides what to believe. */
const saidBusy = 'The site says that it has too much to do: this may not be the page.'

/** Everything an order asks for, from a reading that may be under way already. */
export function deriveFrom(reading: PageReading, order: DeriveOrder): Derivation {
  const fields = contributions(reading, order)
  const { media } = mediaFacts(reading, order)
  const leadsOn = reading.leadsOn()
  const embedded = reading.embedded()
  const tracked = trackedOf(reading, order)
  const without = order.model === undefined ? withoutModel(order.formats, fields, tracked.tracked) : []
  return {
    fields,
    metadata: reading.metadata(),
    verdict: reading.verdict(),
    scriptDemand: reading.scriptDemand() ?? (media !== undefined && lacksMedia(media) ? 'its HTML names no audio or video' : null),
    ...(leadsOn === null ? {} : { leadsOn }),
    ...(embedded === null ? {} : { embedded }),
    confidence: readsContent(order.formats) ? reading.confidence() : null,
    removals: order.explain ? reading.removals() : [],
    ...(reading.isBusy() ? { busy: true as const } : {}), // `const`: of its type
    warnings: [...reading.warnings(), ...(reading.isBusy() ? [saidBusy] : [])],
    ...(order.discover ? found(reading.references()) : {}),
    ...(order.explore ? { discovery: reading.discovery() } : {}),
    ...(media === undefined ? {} : { media }),
    ...tracked,
    ...(without.length === 0 ? {} : { without }),
    ...findable(reading, fields, order),
    ...(order.model === undefined ? {} : { material: materialOf(reading, order) }),
  }
}

/** What can be given of a file that is not read: the file, and what others make of it or say of it. */
const ofFile: ReadonlySet<FormatType> = new Set(['markdown', 'changeTracking', 'screenshot', 'audio', 'video'])

/** The file itself as base64, in `rawBase64` and (when asked for) in place of the markdown (contract §15.7). */
export function asBase64(capture: Capture, order: DeriveOrder): Derivation {
  const { buffer, byteOffset, length } = capture.body
  const base64 = Buffer.from(buffer, byteOffset, length).toString('base64')
  const wantsMarkdown = order.formats.some((format) => format.type === 'markdown')
  const without = order.formats.filter((format) => !ofFile.has(format.type) || tracksFields(format))
  const names = without.map((format) => (tracksFields(format) ? 'json of changeTracking' : format.type)).join(', ')
  return {
    fields: { rawBase64: base64, ...(wantsMarkdown ? { markdown: base64 } : {}) },
    metadata: {},
    verdict: 'ok',
    scriptDemand: null,
    confidence: null,
    removals: [],
    warnings: without.length === 0 ? [] : [`With \`parsers: []\` a PDF is returned as it is, not read: left out ${names}.`],
    ...(without.length === 0 ? {} : { without: without.map((format) => format.type) }),
  }
}

/**
 * The same in steps. Pages that take each step one after the other cost less than one page after the other (docs/adr/0029).
 */
export function* deriveInSteps(reading: PageReading, order: DeriveOrder): Steps<Derivation> {
  // Another format that comes first may have to say something before what is made from the content does.
  if (readsContent(order.formats.slice(0, 1))) while (reading.approach()) yield
  if (order.formats[0]?.type === 'markdown') reading.markdown()
  yield
  reading.metadata()
  yield
  if (order.discover) reading.references()
  yield
  return deriveFrom(reading, order)
}
