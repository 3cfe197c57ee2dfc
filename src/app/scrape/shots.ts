import { randomBytes } from 'node:crypto'
import type { Call } from '../../domain/call.ts'
import type { Capture, Shot } from '../../domain/capture.ts'
import type { Artifact, Blobs } from '../../domain/ports.ts'

/** A picture that is durable: its blob and its size. */
export interface KeptShot extends Pick<Shot, 'type' | 'clipped'> {
  readonly blob: string
  readonly bytes: number
}

/** A picture as the answer has it, and the row that makes its address work; no row where nothing may be kept. */
export interface PlacedShot {
  readonly screenshot: string
  readonly artifact: Artifact | null
  /** Null where nothing may be kept. */
  readonly kept: KeptShot | null
  readonly warning: string | undefined
}

export interface ShotPorts {
  readonly blobs: Blobs
  /** How long an address works. */
  readonly retentionMs: number
  readonly now: () => number
}

const endings = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const

/** A picture as it was taken, or as the cache has it. */
export interface Pictured {
  readonly capture: Pick<Capture, 'shots'>
  readonly found: { readonly shot: KeptShot | null } | null
}

async function keptShot({ capture, found }: Pictured, { blobs }: ShotPorts): Promise<KeptShot | null> {
  const [shot] = capture.shots ?? []
  if (found !== null || shot === undefined) return found?.shot ?? null
  return { blob: await blobs.put(shot.bytes), bytes: shot.bytes.length, type: shot.type, clipped: shot.clipped }
}

const warningOf = ({ clipped }: Pick<Shot, 'clipped'>): string | undefined => (clipped ? 'The page is larger than what a screenshot may show; its end is missing there.' : undefined)

/** Puts the picture of a page where the caller can get it: under an address of ours, or inline under zero retention (contract §3.2). */
export async function placeShot(pictured: Pictured, place: { readonly baseUrl: string; readonly inline: boolean }, ports: ShotPorts, call: Call): Promise<PlacedShot | null> {
  const [shot] = pictured.capture.shots ?? []
  if (place.inline) return shot === undefined ? null : { screenshot: `data:${shot.type};base64,${Buffer.from(shot.bytes).toString('base64')}`, artifact: null, kept: null, warning: warningOf(shot) }
  const kept = await keptShot(pictured, ports)
  if (kept === null) return null
  const token = `${randomBytes(24).toString('base64url')}.${endings[kept.type]}`
  const artifact = { token, team: call.team, blob: kept.blob, media: kept.type, expiresAt: ports.now() + ports.retentionMs }
  return { screenshot: `${place.baseUrl}/v2/artifacts/${token}`, artifact, kept, warning: warningOf(kept) }
}
