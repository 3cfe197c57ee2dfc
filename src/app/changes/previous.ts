import type { Call } from '../../domain/call.ts'
import { type Capture, mediaType } from '../../domain/pages/capture.ts'
import { isTextual } from '../../domain/pages/file-kind.ts'
import type { DeriveOrder, Packed, TrackedFields } from '../../domain/pages/derivation.ts'
import type { Model } from '../../domain/model.ts'
import type { Blobs } from '../../domain/blobs.ts'
import { cacheUrl } from '../../domain/urls/url.ts'
import { validatorsOf } from '../../domain/pages/validators.ts'
import type { ComparedBytes, CompareOrder, Version, VersionKey, Versions } from '../../domain/pages/versions.ts'
import type { Analyse } from '../../formats/analysis/index.ts'
import { tracksFields } from '../../formats/tracking.ts'
import { withMeaning } from '../meaning/index.ts'
import { contentVersion } from '../../content/version.ts'
import { derive, type DerivePorts } from '../scrape/derive.ts'
import { unpack } from '../../domain/pages/packed.ts'
import type { Plan } from '../scrape/plan.ts'
import { captureKey, memoName, type Stale } from '../scrape/shelf.ts'
import { sha256 } from '../../lib/sha256.ts'

/** What reading an earlier version needs. */
export interface PreviousPorts extends DerivePorts {
  readonly versions: Versions
  readonly blobs: Pick<Blobs, 'get'>
  readonly model?: Model | null
  readonly analyse: Analyse
  readonly now: () => number
}

/** The series of versions that a request is about. */
export function versionKey(team: string, url: string, tag: string | undefined): VersionKey {
  return { team, page: sha256(JSON.stringify([cacheUrl(url), tag ?? null])) }
}

/** The capture of a version, without its body. */
export type VersionHead = Omit<Capture, 'body' | 'shots' | 'actions' | 'remembered'>

const headOf = (version: Version): VersionHead => JSON.parse(version.head) as VersionHead // written by `versionOf`

/** Whether the answer depends on the caller's secrets or actions, so that the site's validators hold for nobody else. */
const isPrivate = ({ order, request }: Plan): boolean => Object.keys(order.headers).length > 0 || (order.actions ?? []).length > 0 || request.profile !== undefined

/** The validators for asking a site conditionally whether the page is still that version; null if it cannot be asked. */
export function recheckOf(version: Version, plan: Plan): Stale | null {
  const head = headOf(version)
  if (isPrivate(plan) || version.asked !== captureKey(plan) || head.engine !== 'http' || head.status >= 300 || (!head.tlsVerified && !plan.request.skipTlsVerification)) return null
  const validators = validatorsOf(head)
  if (validators === null) return null
  const { id, team, at: fetchedAt, body: blob, bytes } = version
  // The stored answer of a changed version contains the difference.
  const memo = version.status !== 'changed' && version.read === memoName(plan.derive) ? version.blob : null
  return { kind: 'stale', validators, kept: { entry: { id, team, key: version.page, fetchedAt, head: version.head, blob, bytes }, memo } }
}

/**
 * Names a way of reading what is compared. The other formats of a request do not matter: a version with or without them
 * is not read again, which would ask the model about a text that it has seen, and take another answer for a change. Nor
 * does text recognition matter to what is text.
 */
export function comparedName({ formats, read, parsers, ocr, clean, model }: DeriveOrder, head: Pick<Capture, 'headers'>): string {
  const fields = formats.find(tracksFields)
  const by = fields === undefined ? null : { schema: fields.schema, prompt: fields.prompt, model }
  return sha256(JSON.stringify([contentVersion, read, parsers, clean === true ? model : null, by, ...(ocr === undefined || isTextual(mediaType(head)) ? [] : [ocr])]))
}

/** The parts of a version that are compared. */
export interface Comparable {
  readonly markdown: string
  readonly tracked: TrackedFields | undefined
}

const comparable = (page: Packed): Comparable => ({ markdown: page.fields().markdown ?? '', tracked: page.facts.tracked })

/** Reads the same capture again, with this request's options. */
async function readAgain(version: Version, plan: Plan, ports: PreviousPorts, call: Call): Promise<Packed | null> {
  await call.room?.take(version.bytes, call.signal)
  const body = await ports.blobs.get(version.body)
  if (body === null) return null
  const { model: _, ...without } = plan.derive
  const formats = plan.derive.formats.filter((format) => format.type === 'markdown' || format.type === 'changeTracking')
  const needsModel = plan.derive.clean === true || formats.some(tracksFields)
  const order = { ...(needsModel ? plan.derive : without), formats }
  const page = await derive({ ...headOf(version), body }, { ...plan, derive: order }, ports, call)
  return ports.model && page.facts.material !== undefined ? withMeaning(page, order, { model: ports.model, analyse: ports.analyse, learning: null, now: ports.now }, call) : page
}

/** A version as this request would have read it, so that like is compared with like; null if it is gone. */
export async function asReadNow(version: Version, plan: Plan, ports: PreviousPorts, call: Call): Promise<Comparable | null> {
  const stored = version.compared === comparedName(plan.derive, headOf(version)) ? await ports.blobs.get(version.blob) : null
  const page = stored === null ? await readAgain(version, plan, ports, call) : unpack(stored)
  return page && comparable(page)
}

/** The fields of a page whose text did not change: the same as before, without asking a model again. */
export async function inherited(page: Packed, version: Version, plan: Plan, ports: PreviousPorts, call: Call): Promise<TrackedFields | null> {
  const stored = version.compared === comparedName(plan.derive, headOf(version)) && plan.derive.clean !== true ? await ports.blobs.get(version.blob) : null
  if (stored === null) return null
  const { markdown, tracked } = comparable(unpack(stored))
  if (tracked?.done !== true) return null
  const { same } = await compare({ previous: markdown, current: page.fields().markdown ?? '', diff: false }, ports, call)
  return same ? tracked : null
}

/** Compares two texts. Throws as `Analyse` does. */
export async function compare(order: CompareOrder, { analyse }: Pick<PreviousPorts, 'analyse'>, call: Call): Promise<ComparedBytes> {
  return order.previous === order.current ? { same: true, diff: null } : analyse('compared', order, call)
}
