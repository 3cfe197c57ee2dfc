import { randomBytes } from 'node:crypto'
import type { ActionResults } from '../../domain/pages/actions.ts'
import type { Call } from '../../domain/call.ts'
import type { Capture, Shot } from '../../domain/pages/capture.ts'
import type { MediaFile } from '../../domain/pages/media.ts'
import type { Blobs } from '../../domain/blobs.ts'
import type { Artifact } from '../../domain/pages/results.ts'
import type { ScrapeData } from '../../spec/scrape.ts'

/** A durable picture: its blob and size. */
export interface KeptShot extends Pick<Shot, 'type' | 'clipped'> {
  readonly blob: string
  readonly bytes: number
}

/** A picture in the answer, and the row behind its address; no row if nothing may be kept. */
export interface PlacedShot {
  readonly screenshot: string
  readonly artifact: Artifact | null
  /** Null if nothing may be kept. */
  readonly kept: KeptShot | null
  readonly warning: string | undefined
}

export interface ShotPorts {
  readonly blobs: Blobs
  /** How long an address works. */
  readonly retentionMs: number
  readonly now: () => number
}

/** Base of file addresses, and whether files go into the answer itself. */
export interface Place {
  readonly baseUrl: string
  readonly inline: boolean
}

const endings: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'], ['image/jpeg', 'jpg'], ['application/pdf', 'pdf'], ['video/mp4', 'mp4'], ['video/webm', 'webm'], ['video/ogg', 'ogv'], ['video/quicktime', 'mov'], ['video/mp2t', 'ts'],
  ['audio/mpeg', 'mp3'], ['audio/mp4', 'm4a'], ['audio/aac', 'aac'], ['audio/ogg', 'ogg'], ['audio/wav', 'wav'], ['audio/flac', 'flac'], ['audio/webm', 'weba'],
])

/** A picture just taken, or from the cache. */
export interface Pictured {
  readonly capture: Pick<Capture, 'shots'>
  readonly found: { readonly shot: KeptShot | null } | null
}

async function keptShot({ capture, found }: Pictured, { blobs }: ShotPorts): Promise<KeptShot | null> {
  const [shot] = capture.shots ?? []
  if (found !== null || shot === undefined) return found?.shot ?? null
  return { blob: await blobs.put(shot.bytes), bytes: shot.bytes.length, type: shot.type, clipped: shot.clipped }
}

const clippedText = 'The page is larger than what a screenshot may show; its end is missing there.'
const warningOf = ({ clipped }: Pick<Shot, 'clipped'>): string | undefined => (clipped ? clippedText : undefined)

/** Why there is no picture of a page, by its media type: a cached capture may come without its bytes. */
export function unpicturedText(media: string): string {
  const why = media === 'application/pdf' ? 'No picture is taken of a PDF' : /^(?:text\/html|application\/xhtml\+xml|)$/.test(media) ? 'The site sent no page to be shown' : 'No picture is taken of a file'
  return `${why}: screenshot is left out.`
}

const dataUri = (bytes: Uint8Array, media: string): string => `data:${media};base64,${Buffer.from(bytes).toString('base64')}`

/** A row under an unguessable token, with its address. */
function addressed(blob: string, media: string, { baseUrl }: Place, { team, retentionMs, now }: { readonly team: string } & Pick<ShotPorts, 'retentionMs' | 'now'>): { readonly address: string; readonly artifact: Artifact } {
  const token = `${randomBytes(24).toString('base64url')}.${endings.get(media) ?? 'bin'}`
  return { address: `${baseUrl}/v2/artifacts/${token}`, artifact: { token, team, blob, media, expiresAt: now() + retentionMs } }
}

/** Makes the page's picture available: at an address of ours, or inline under zero retention (contract §3.2). */
export async function placeShot(pictured: Pictured, place: Place, ports: ShotPorts, call: Call): Promise<PlacedShot | null> {
  const [shot] = pictured.capture.shots ?? []
  if (place.inline) return shot === undefined ? null : { screenshot: dataUri(shot.bytes, shot.type), artifact: null, kept: null, warning: warningOf(shot) }
  const kept = await keptShot(pictured, ports)
  if (kept === null) return null
  const { address, artifact } = addressed(kept.blob, kept.type, place, { ...ports, team: call.team })
  return { screenshot: address, artifact, kept, warning: warningOf(kept) }
}

/** How long addresses of media work (contract §3.2). */
const mediaMs = 3_600_000

/** Makes a media file available for an hour, as `placeShot` does for pictures. */
export async function placeMedia({ bytes, type }: Pick<MediaFile, 'bytes' | 'type'>, place: Place, ports: ShotPorts, call: Call): Promise<{ readonly address: string; readonly artifact: Artifact | null }> {
  if (place.inline) return { address: dataUri(bytes, type), artifact: null }
  return addressed(await ports.blobs.put(bytes), type, place, { ...ports, retentionMs: Math.min(mediaMs, ports.retentionMs), team: call.team })
}

/** The results of actions in the answer, the rows behind their addresses, and warnings. */
export interface PlacedActions {
  readonly actions: NonNullable<ScrapeData['actions']>
  readonly artifacts: readonly Artifact[]
  readonly warnings: readonly string[]
}

/** A caller who clicked a link that opens a window expects that page. */
const windowsText = (windows: readonly string[]): string => `The actions opened another window, which is not part of the answer: ${windows.join(', ')}`

const downloadsText = (downloads: readonly string[]): string => `The actions started a download, which is not part of the answer: ${downloads.join(', ')}`
const fileText = (file: string): string => `The actions led to a file, of which the answer has what a browser shows: ${file}`

const unwritten = 'A script of the actions returned an object that JSON cannot express, as it is circular or holds a BigInt; its value is null.'

const cutText = 'What an action scraped is larger than what is read, or could not be read completely; a part of it is missing.'

/** Whether a script returned an object of which the answer has nothing: for null itself, the type is another. */
const hasUnwritten = (returns: ActionResults['javascriptReturns']): boolean => returns.some(({ type, value }) => type === 'object' && value === null)

/** Warnings about where actions led. */
function ledTo({ windows = [], downloads = [], file }: Pick<ActionResults, 'windows' | 'downloads' | 'file'>): string[] {
  return [...(windows.length > 0 ? [windowsText(windows)] : []), ...(downloads.length > 0 ? [downloadsText(downloads)] : []), ...(file === undefined ? [] : [fileText(file)])]
}

/** Makes the results of actions available, as `placeShot` does for pictures. */
export async function placeActions({ screenshots, pdfs, scrapes, javascriptReturns, ...led }: ActionResults, place: Place, ports: ShotPorts, call: Call): Promise<PlacedActions> {
  const artifacts: Artifact[] = []
  const placed = async (bytes: Uint8Array, media: string): Promise<string> => {
    if (place.inline) return dataUri(bytes, media)
    const { address, artifact } = addressed(await ports.blobs.put(bytes), media, place, { ...ports, team: call.team })
    artifacts.push(artifact)
    return address
  }
  const pictures = await Promise.all(screenshots.map((shot) => placed(shot.bytes, shot.type)))
  const prints = await Promise.all(pdfs.map((bytes) => placed(bytes, 'application/pdf')))
  return {
    actions: { screenshots: pictures, scrapes: scrapes.map(({ url, html }) => ({ url, html })), javascriptReturns: [...javascriptReturns], pdfs: prints },
    artifacts,
    warnings: [...(screenshots.some(({ clipped }) => clipped) ? [clippedText] : []), ...(scrapes.some(({ cut }) => cut) ? [cutText] : []), ...(hasUnwritten(javascriptReturns) ? [unwritten] : []), ...ledTo(led)],
  }
}
