import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { readManifest } from './dash.ts'
import { readPlaylist } from './hls.ts'

const base = 'https://site.test/film/master.m3u8'
const playlist = (...lines: readonly string[]): string => ['#EXTM3U', ...lines].join('\n')

describe('a playlist', () => {
  it('leads to the best stream that includes its sound', () => {
    const text = playlist('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",DEFAULT=YES,URI="sound.m3u8"', '#EXT-X-STREAM-INF:BANDWIDTH=9000,AUDIO="a"', 'apart.m3u8', '#EXT-X-STREAM-INF:BANDWIDTH=10,CODECS="avc1,mp4a"', 'low.m3u8')
    expect(readPlaylist(text, base, 'video')).toEqual({ next: 'https://site.test/film/low.m3u8', silent: false })
    expect(readPlaylist(text, base, 'audio')).toEqual({ next: 'https://site.test/film/sound.m3u8', silent: false })
  })

  it('reports that the sound is separate if it is for all streams', () => {
    expect(readPlaylist(playlist('#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="s.m3u8"', '#EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO="a"', 'v.m3u8'), base, 'video')).toEqual({ next: 'https://site.test/film/v.m3u8', silent: true })
  })

  it.each([
    ['a line without end', `#EXT-X-STREAM-INF:${'A'.repeat(1_000_000)}\nx.m3u8`],
    ['streams without an address', '#EXT-X-STREAM-INF:\n'.repeat(19_000)],
  ])('is read in time however it is made: %s', (_, text) => {
    expect(cpuMs(() => void readPlaylist(playlist(text), base, 'video'))).toBeLessThan(2_000)
  })

  it('contains the parts of one file, each once if they are byte ranges of it', () => {
    expect(readPlaylist(playlist('#EXTINF:2,', '#EXT-X-BYTERANGE:10@0', 'all.ts', '#EXTINF:2,', '#EXT-X-BYTERANGE:10@10', 'all.ts', '#EXT-X-ENDLIST'), base, 'video')).toEqual({ parts: ['https://site.test/film/all.ts'], type: 'video/mp2t', silent: false })
    expect(readPlaylist(playlist('#EXTINF:2,', 'a.aac', '#EXT-X-ENDLIST'), base, 'audio')).toMatchObject({ type: 'audio/aac' })
  })

  it.each([
    ['<html>', 'its playlist cannot be read'],
    [playlist('#EXTINF:2,', 'a.ts'), 'it is a live stream'],
    [playlist('#EXT-X-KEY:METHOD=AES-128,URI="k"', '#EXTINF:2,', 'a.ts', '#EXT-X-ENDLIST'), 'it is encrypted'],
    [playlist('#EXT-X-ENDLIST'), 'its playlist is empty'],
    [playlist(...Array.from({ length: 9_000 }, (_, i) => `${i}.ts`), '#EXT-X-ENDLIST'), 'it has too many parts'],
  ])('that cannot be used is reported with a reason (%#)', (text, why) => {
    expect(readPlaylist(text, base, 'video')).toEqual({ why })
  })
})

const mpd = (inside: string, more = 'mediaPresentationDuration="PT5S"'): string => `<MPD ${more}><BaseURL>parts/</BaseURL><Period>${inside}</Period></MPD>`

describe('a manifest', () => {
  it.each([
    ['nested without end', '<a>'.repeat(1_300_000)],
    ['a tag of endless attributes', `<MPD ${Array.from({ length: 400_000 }, (_, at) => `a${at} `).join('')}`],
  ])('of a hostile site holds nothing up: %s', (_, xml) => {
    expect(cpuMs(() => expect(readManifest(xml, 'https://site.test/film.mpd', 'video')).toEqual({ why: 'its manifest cannot be read' }))).toBeLessThan(1_000)
  })

  it('lists its parts by a timeline', () => {
    const set = '<AdaptationSet contentType="video"><SegmentTemplate initialization="i-$Bandwidth$.mp4" media="v-$Time$.m4s" timescale="1"><SegmentTimeline><S t="0" d="2" r="1"/><S d="1"/></SegmentTimeline></SegmentTemplate><Representation id="v" bandwidth="5"/></AdaptationSet>'
    expect(readManifest(mpd(set), 'https://site.test/film.mpd', 'video')).toEqual({ parts: ['i-5.mp4', 'v-0.m4s', 'v-2.m4s', 'v-4.m4s'].map((name) => `https://site.test/parts/${name}`), type: 'video/mp4', silent: false })
  })

  it('lists its parts by a list', () => {
    const set = '<AdaptationSet mimeType="audio/mp4"><Representation id="a" bandwidth="5"><SegmentList><Initialization sourceURL="i.mp4"/><SegmentURL media="1.m4s"/></SegmentList></Representation></AdaptationSet>'
    expect(readManifest(mpd(set), 'https://site.test/film.mpd', 'audio')).toMatchObject({ parts: ['https://site.test/parts/i.mp4', 'https://site.test/parts/1.m4s'], type: 'audio/mp4' })
  })

  it.each([
    ['not xml', 'its manifest cannot be read'],
    [mpd('', 'type="dynamic"'), 'it is a live stream'],
    [mpd('<AdaptationSet mimeType="video/mp4"><ContentProtection/><Representation/></AdaptationSet>'), 'it is encrypted'],
    [mpd('<AdaptationSet mimeType="audio/mp4"><Representation/></AdaptationSet>'), 'its manifest has no video'],
    [mpd('<AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Number$" duration="1" timescale="1000000"/><Representation/></AdaptationSet>'), 'it has too many parts'],
    [mpd('<AdaptationSet mimeType="video/mp4"><SegmentTemplate media="$Time$"><SegmentTimeline><S d="0" r="999999999"/></SegmentTimeline></SegmentTemplate><Representation/></AdaptationSet>'), 'it has too many parts'],
    ['<a>'.repeat(60_000), 'its manifest cannot be read'],
  ])('that cannot be used is reported with a reason (%#)', (xml, why) => {
    expect(readManifest(xml, 'https://site.test/film.mpd', 'video')).toEqual({ why })
  })
})
