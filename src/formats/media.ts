import { follow } from '../content/facts/entity.ts'
import type { PageReading } from '../content/reading.ts'
import type { Derivation, DeriveOrder } from '../domain/pages/derivation.ts'
import type { MediaSources } from '../domain/pages/media.ts'
import type { Format } from '../spec/formats.ts'
import { urlOf } from '../lib/url-of.ts'

/** Whether a format is audio or video. */
export const isMedia = (format: Format): format is Extract<Format, { type: 'audio' | 'video' }> => format.type === 'audio' || format.type === 'video'

const most = 12
const endings = { video: /\.(?:mp4|m4v|webm|ogv|mov|mkv)$/i, audio: /\.(?:mp3|m4a|aac|ogg|oga|opus|wav|flac)$/i } as const
const streams = /\.(?:m3u8|mpd)$/i
/** Hosts whose media only works in their own players. */
const players = /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|youtu\.be|vimeo\.com|dailymotion\.com|twitch\.tv|tiktok\.com|soundcloud\.com|bilibili\.com|rumble\.com|facebook\.com|instagram\.com|x\.com|twitter\.com)$/
const inScripts = /https?:(?:\\?\/){2}[^\s"'<>\\]{3,200}(?:\\\/[^\s"'<>\\]{1,200}){0,20}/g

const places = {
  video: ['video src', 'video source src', 'meta[itemprop="contentUrl" i] content', 'meta[property="og:video:secure_url" i] content', 'meta[property="og:video:url" i] content', 'meta[property="og:video" i] content', 'meta[name="twitter:player:stream" i] content'],
  audio: ['audio src', 'audio source src', 'meta[property="og:audio:secure_url" i] content', 'meta[property="og:audio:url" i] content', 'meta[property="og:audio" i] content'],
} as const

const queriesOf = (names: readonly string[]): { selector: string; attribute: string }[] => names.map((name) => ({ selector: name.slice(0, name.lastIndexOf(' ')), attribute: name.slice(name.lastIndexOf(' ') + 1) }))

/** Addresses in the scripts of a page, for players. */
const scripted = (text: string): readonly string[] => [...text.slice(0, 2_000_000).matchAll(inScripts)].slice(0, 20_000).map(([url]) => url.replaceAll('\\/', '/'))

const pathOf = (url: string): string => urlOf(url)?.pathname ?? ''

/** The addresses of a kind of media on a page, best first; and the player hosts that it embeds. */
function mediaOf(reading: PageReading, kind: 'audio' | 'video'): MediaSources {
  const values = (names: readonly string[]): readonly string[] => reading.attributes(queriesOf(names)).flatMap((one) => one.values)
  const [root] = values(['base href'])
  const base = (root === undefined ? null : urlOf(root, reading.capture.url))?.href ?? reading.capture.url
  const absolute = (url: string): readonly string[] => (url.trim() === '' ? [] : [urlOf(url.trim(), base)?.href].filter((href) => href !== undefined))
  const described = (reading.facts()?.entities ?? []).filter(({ types }) => types.includes(kind === 'video' ? 'VideoObject' : 'AudioObject')).flatMap((entity) => follow(entity, ['contentUrl'])).filter((url): url is string => typeof url === 'string')
  const own = streams.test(pathOf(reading.capture.url)) ? [reading.capture.url] : []
  const named = [...values(['a href']), ...scripted(reading.text())].flatMap(absolute).filter((url) => endings[kind].test(pathOf(url)) || streams.test(pathOf(url)))
  const urls = [...own, ...[...values(places[kind]), ...described].flatMap(absolute), ...named].filter((url) => /^https?:/.test(url))
  const frames = [reading.capture.url, ...values(['iframe src']).flatMap(absolute)].filter((url) => players.test(urlOf(url)?.hostname ?? ''))
  return { kind, urls: [...new Set(urls)].filter((url) => !players.test(new URL(url).hostname)).slice(0, most), players: [...new Set(frames)].slice(0, 5) }
}

/** Whether neither media nor players were found: scripts may add them. */
export const lacksMedia = (media: readonly MediaSources[]): boolean => media.every(({ urls, players: hosts }) => urls.length === 0 && hosts.length === 0)

/** The addresses of the media that an order asks for. */
export function mediaFacts(reading: PageReading, { formats }: DeriveOrder): Pick<Derivation, 'media'> {
  const wanted = formats.filter(isMedia)
  return wanted.length === 0 ? {} : { media: wanted.map(({ type }) => mediaOf(reading, type)) }
}
