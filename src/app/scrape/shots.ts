import { randomBytes } from 'node:crypto'
import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/capture.ts'
import type { Artifact, Blobs } from '../../domain/ports.ts'

/** A picture as the answer has it, and the row that makes its address work; no row where nothing may be kept. */
export interface PlacedShot {
  readonly screenshot: string
  readonly artifact: Artifact | null
  readonly warning: string | undefined
}

export interface ShotPorts {
  readonly blobs: Blobs
  /** How long an address works. */
  readonly retentionMs: number
  readonly now: () => number
}

const endings = { 'image/png': 'png', 'image/jpeg': 'jpg' } as const

/** Puts the picture of a capture where the caller can get it: under an address of ours, or inline under zero retention (contract §3.2). */
export async function placeShot(capture: Capture, place: { readonly baseUrl: string; readonly inline: boolean }, ports: ShotPorts, call: Call): Promise<PlacedShot | null> {
  const [shot] = capture.shots ?? []
  if (shot === undefined) return null
  const warning = shot.clipped ? 'The page is larger than what a screenshot may show; its end is missing there.' : undefined
  if (place.inline) return { screenshot: `data:${shot.type};base64,${Buffer.from(shot.bytes).toString('base64')}`, artifact: null, warning }
  const token = `${randomBytes(24).toString('base64url')}.${endings[shot.type]}`
  const artifact = { token, team: call.team, blob: await ports.blobs.put(shot.bytes), media: shot.type, expiresAt: ports.now() + ports.retentionMs }
  return { screenshot: `${place.baseUrl}/v2/artifacts/${token}`, artifact, warning }
}
