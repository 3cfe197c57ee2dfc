import type { Call } from '../../domain/call.ts'
import type { Packed, TrackedFields } from '../../domain/pages/derivation.ts'
import type { Blobs } from '../../domain/blobs.ts'
import { isUnrendered } from '../../domain/pages/unrendered.ts'
import type { Version } from '../../domain/pages/versions.ts'
import { isEmpty } from '../../formats/analysis/ground.ts'
import { tracksFields } from '../../formats/tracking.ts'
import { missingWarning } from '../../formats/warnings.ts'
import { isObject, type JsonObject } from '../../lib/is-object.ts'
import { isoTime } from '../../lib/time.ts'
import type { ChangeTracking } from '../../spec/changes.ts'
import type { Acquired } from '../scrape/acquire.ts'
import type { Plan } from '../scrape/plan.ts'
import { captureKey, memoName } from '../scrape/shelf.ts'
import { asReadNow, type Comparable, compare, comparedName, type PreviousPorts, type VersionHead, versionKey } from './previous.ts'
import { pointed } from '../../lib/json-pointer.ts'

/** The result of tracking a page, and the version that it becomes. */
export interface Tracked {
  /** Null if the page could not be had, and so not compared. */
  readonly said: ChangeTracking | null
  /** The difference, as further members of the same object in JSON; null if there is none, or none was requested. */
  readonly diff: Uint8Array | null
  readonly warnings: readonly string[]
  readonly previous: Version | null
}

/** A fetched page, by the id of its scrape. */
export interface TrackedPage {
  readonly id: string
  readonly plan: Plan
  readonly acquired: Acquired
  readonly page: Packed
}

const gone: ReadonlySet<number> = new Set([404, 410])

/** A page as fetched and as read. */
type Home = Pick<TrackedPage, 'acquired' | 'page'>

/** Whether the site says, by status or in words, that the page does not exist. */
export const isGone = ({ acquired: { capture }, page: { facts } }: Home): boolean => facts.verdict === 'soft-404' || gone.has(capture.status)

/** What was had of the page: all of it, part of it, a statement that it is gone, or something else. */
function presenceOf(home: Home): 'there' | 'gone' | 'withheld' | 'incomplete' {
  const { acquired: { capture }, page: { facts } } = home
  if (isGone(home)) return 'gone'
  if (facts.verdict !== 'ok' || facts.busy === true || capture.status >= 400) return 'withheld'
  return capture.truncated || facts.late === true || isUnrendered(capture, facts) ? 'incomplete' : 'there'
}

/** Whether the page is missing or incomplete without the site saying that it is gone. */
export function isWithheld(home: Home): boolean {
  const presence = presenceOf(home)
  return presence === 'withheld' || presence === 'incomplete'
}

/** Anything but an object counts as a single field without a name. */
const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : value === null || value === undefined ? {} : { '': value })

/** A field of an object; undefined for a name that the object only inherits, such as "constructor". */
const fieldOf = (fields: JsonObject, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined)

/** A value without the members that a model left unanswered in one of the two versions. */
function known(value: unknown, silent: ReadonlySet<string>, at: string): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, one]) => (silent.has(pointed(at, key)) ? [] : [[key, known(one, silent, pointed(at, key))] as const]))) // a pair
}

/** Whether two values mean the same; lists in any order. */
function meansSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b))
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(ordered(one))).sort()
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)).map(([key, one]) => [key, ordered(one)]))
}

/** The fields that differ, by name. What a model left out, or answered from part of the page only, is no change. */
function fieldChanges(previous: TrackedFields | undefined, current: TrackedFields | undefined): NonNullable<ChangeTracking['json']> {
  const [before, after] = [fieldsOf(previous?.value), fieldsOf(current?.value)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const pairs = names.map((name) => [name, { previous: fieldOf(before, name) ?? null, current: fieldOf(after, name) ?? null }] as const) // a pair
  const isKnown = (value: unknown, fields: TrackedFields | undefined): boolean => fields?.unanswered !== true || (typeof value !== 'object' && !isEmpty(value))
  const silent = new Set([...(previous?.ungiven ?? []), ...(current?.ungiven ?? [])])
  const isSame = (at: string, pair: { readonly previous: unknown; readonly current: unknown }): boolean => silent.has('') || silent.has(at) || meansSame(known(pair.previous, silent, at), known(pair.current, silent, at))
  return Object.fromEntries(pairs.filter(([name, pair]) => isKnown(pair.previous, previous) && isKnown(pair.current, current) && !isSame(pointed('', name), pair)))
}

/** JSON pointers of values that the page has now, with nothing sure in the version before to compare them with. */
function newlyKnown(previous: TrackedFields | undefined, current: TrackedFields | undefined): readonly string[] {
  const [before, after] = [fieldsOf(previous?.value), fieldsOf(current?.value)]
  const silent = new Set(previous?.ungiven ?? [])
  const isUnsure = (at: string): boolean => previous?.unanswered === true || silent.has('') || silent.has(at)
  return Object.keys(after).filter((name) => !isEmpty(after[name]) && isEmpty(fieldOf(before, name)) && isUnsure(pointed('', name))).map((name) => pointed('', name))
}

function warningsOf({ page, plan: { tracking } }: TrackedPage): readonly string[] {
  const { tracked } = page.facts
  if (tracking !== null && !tracking.modes.includes('json') && (tracking.schema ?? tracking.prompt) !== undefined) return ['changeTracking: schema and prompt are for the mode json, which was not asked for.']
  const warning = tracked === undefined || tracked.done === true ? undefined : missingWarning(tracked.missing, 'not proven by the data of the page, hence null', 'changeTracking')
  return warning === undefined ? [] : [warning]
}

type Said = Omit<ChangeTracking, 'visibility' | 'previousScrapeAt'>

interface Changes extends Pick<Tracked, 'diff' | 'warnings'> {
  readonly said: Said
}

async function changesSince(before: Comparable, { plan, page }: TrackedPage, ports: PreviousPorts, call: Call): Promise<Changes> {
  const modes = plan.tracking?.modes ?? []
  const order = { previous: before.markdown, current: page.fields().markdown ?? '', diff: modes.includes('git-diff') }
  const { same, diff } = await compare(order, ports, call)
  const json = plan.derive.formats.some(tracksFields) ? fieldChanges(before.tracked, page.facts.tracked) : null
  if (same && Object.keys(json ?? {}).length === 0) return { said: { changeStatus: 'same' }, diff: null, warnings: [] }
  const warning = json === null ? undefined : missingWarning(newlyKnown(before.tracked, page.facts.tracked), 'not compared, since the language model gave no value for the version before', 'changeTracking')
  return { said: { changeStatus: 'changed', ...(json === null ? {} : { json }) }, diff, warnings: warning === undefined ? [] : [warning] }
}

/** Compares a page with its previous version. Throws what reading that version throws. */
export async function track(tracked: TrackedPage, ports: PreviousPorts, call: Call): Promise<Tracked> {
  const { id, plan } = tracked
  const previous = await ports.versions.latest(versionKey(call.team, plan.request.url, plan.tracking?.tag), id)
  const presence = presenceOf(tracked)
  const nothing = (why: string): Tracked => ({ said: null, diff: null, warnings: [`changeTracking: ${why}`], previous })
  if (presence === 'withheld') return nothing('the site did not give the page, so it was not compared.')
  if (presence === 'incomplete') return nothing(`${tracked.acquired.capture.truncated ? 'its end is missing' : tracked.page.facts.late === true ? 'there was not the time to read all of it' : 'it came incomplete'}, so the page was not compared.`)
  if (presence === 'gone' && previous === null) return nothing('there is no page at this address, and none was tracked before.')
  const told = (said: Said, warnings: readonly string[] = [], diff: Tracked['diff'] = null): Tracked => ({
    said: { previousScrapeAt: previous === null ? null : isoTime(previous.at), visibility: plan.hidden === true ? 'hidden' : 'visible', ...said },
    diff,
    warnings,
    previous,
  })
  if (presence === 'gone') return told({ changeStatus: 'removed' })
  const warnings = warningsOf(tracked)
  if (previous === null || previous.status === 'removed') return told({ changeStatus: 'new' }, warnings)
  const before = await asReadNow(previous, plan, ports, call)
  // Versions do not expire: the blob store is at fault, and may find it again.
  if (before === null) return nothing('the version before is not found in the blob store, so the page was not compared.')
  const { said, diff, warnings: more } = await changesSince(before, tracked, ports, call)
  return told(said, [...warnings, ...more], diff)
}

/** The part of a tracked page's answer that is kept. */
export interface KeptPage {
  readonly blob: string
  readonly frame: string
}

/** The version that a tracked page becomes; null if it was not compared. */
export async function versionOf(tracked: TrackedPage & { readonly tracking: Tracked }, kept: KeptPage, blobs: Pick<Blobs, 'put'>, team: string): Promise<Version | null> {
  const { id, plan, acquired, page, tracking } = tracked
  const { said, previous } = tracking
  if (said === null) return null
  const { confirmed, capture } = acquired
  const { body, shots: _shots, actions: _actions, remembered: _remembered, ...rest } = capture
  const head: VersionHead = rest
  const { url } = plan.request
  const { tag } = plan.tracking ?? {}
  const passing = page.facts.passing === true
  return {
    ...versionKey(team, url, tag),
    id,
    number: (previous?.number ?? 0) + 1,
    url,
    tag: tag ?? null,
    at: capture.at,
    status: said.changeStatus,
    ...kept,
    head: JSON.stringify(head),
    body: confirmed?.entry.blob ?? (await blobs.put(body)),
    bytes: confirmed?.entry.bytes ?? body.length,
    asked: captureKey(plan),
    // An answer that the model did not complete must not serve as a later comparison.
    read: passing ? '' : memoName(plan.derive),
    compared: passing ? '' : comparedName(plan.derive, capture),
  }
}
