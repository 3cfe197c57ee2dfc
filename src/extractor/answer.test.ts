import { describe, expect, it } from 'vitest'
import { mediaIn } from './answer.ts'

const mega = 1024 ** 2
const at = (name: string, more: object): object => ({ url: `https://cdn.test/${name}`, protocol: 'https', vcodec: 'avc1', acodec: 'mp4a', ...more })
const sound = (name: string, more: object): object => at(name, { vcodec: 'none', ...more })
const urls = (json: unknown, kind: 'audio' | 'video'): readonly string[] => mediaIn(json, kind, 50 * mega).map(({ url }) => url.replace('https://cdn.test/', ''))

describe('the output of an extractor', () => {
  it('gives the best matching format, with its sound if there is one', () => {
    const formats = [at('low', { height: 240 }), at('huge', { height: 2160, filesize: 900 * mega }), at('high', { height: 720 }), at('mute', { height: 1080, acodec: 'none' }), sound('song', { abr: 128 }), sound('hiss', { abr: 48 })]
    expect([urls({ formats }, 'video'), urls({ formats }, 'audio')]).toEqual([['high', 'low', 'mute', 'huge'], ['song', 'hiss']])
    expect(mediaIn({ formats: [at('mute', { acodec: 'none', http_headers: { Referer: 'https://a.test/', Cookie: 'secret' } })] }, 'video', mega)).toEqual([{ url: 'https://cdn.test/mute', referer: 'https://a.test/', silent: true }])
  })

  it('may be one file, or the first of several media', () => {
    expect(urls({ url: 'https://cdn.test/film', ext: 'mp4', protocol: 'https' }, 'video')).toEqual(['film'])
    expect(urls({ url: 'https://cdn.test/song', ext: 'mp3' }, 'audio')).toEqual(['song'])
    expect(urls({ entries: [{ formats: [at('a', {})] }, { formats: [at('b', {})] }] }, 'video')).toEqual(['a'])
  })

  it.each([
    ['a live stream', { is_live: true, formats: [at('a', {})] }],
    ['what is locked', { formats: [at('a', { has_drm: true })] }],
    ['protocols of others', { formats: [at('a', { protocol: 'rtmp' }), at('b', { url: 'file:///etc/passwd' }), at('c', { protocol: 'http_dash_segments' })] }],
    ['no such thing', null],
    ['a text', 'formats'],
    ['a list of nothing', { formats: [null, 7, 'x'] }],
  ])('is useless if it is %s', (_, json) => {
    expect(urls(json, 'video')).toEqual([])
  })
})
