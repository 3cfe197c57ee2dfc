import { document, file, page, type Pages } from '../page.ts'

const film = Buffer.from('\0\0\0\x18ftypmp42 a film of ours')
const playlist = (...lines: readonly string[]): string => ['#EXTM3U', ...lines, ''].join('\n')
const hls = 'application/vnd.apple.mpegurl'

const manifest = `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT4S"><Period>
<AdaptationSet mimeType="video/mp4"><SegmentTemplate initialization="$RepresentationID$-init.mp4" media="$RepresentationID$-$Number%03d$.m4s" startNumber="1" duration="2" timescale="1"/>
<Representation id="low" bandwidth="1000"/><Representation id="high" bandwidth="9000"/></AdaptationSet>
<AdaptationSet mimeType="audio/mp4"><Representation id="sound" bandwidth="500"><BaseURL>sound.m4a</BaseURL></Representation></AdaptationSet></Period></MPD>`

/** Pages with video and audio, and their files. */
export const media: Pages = {
  '/media/film.mp4': file('video/mp4', film),
  '/media/song.mp3': file('audio/mpeg', Buffer.from('ID3 a song of ours')),
  '/media/player': page(document('Player', '<h1>Film</h1><video poster="/p.jpg"><source src="/media/gone.webm" type="video/webm"><source src="film.mp4" type="video/mp4"></video><audio src="/media/song.mp3"></audio>')),
  '/media/named': page(document('Named', '<h1>Film</h1><p>A film.</p>', '<meta property="og:video" content="/media/embed"><meta property="og:video:secure_url" content="/media/film.mp4">')),
  '/media/embed': page(document('Embed', '<p>A player, not a film.</p>')),
  '/media/described': page(document('Described', '<h1>Film</h1>', '<script type="application/ld+json">{"@context":"https://schema.org","@type":"VideoObject","name":"Film","contentUrl":"/media/film.mp4"}</script>')),
  '/media/streamed': page(document('Streamed', '<h1>Film</h1><video src="/media/hls/master.m3u8"></video>')),
  '/media/hls/master.m3u8': file(hls, playlist('#EXT-X-STREAM-INF:BANDWIDTH=100,CODECS="avc1.4d,mp4a.40"', 'low.m3u8', '#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="avc1.4d,mp4a.40"', 'high.m3u8')),
  '/media/hls/high.m3u8': file(hls, playlist('#EXT-X-MAP:URI="init.mp4"', '#EXTINF:2,', 'a.m4s', '#EXTINF:2,', 'b.m4s', '#EXT-X-ENDLIST')),
  '/media/hls/init.mp4': file('video/mp4', 'init,'),
  '/media/hls/a.m4s': file('video/mp4', 'a,'),
  '/media/hls/b.m4s': file('video/mp4', 'b'),
  '/media/hls/live.m3u8': file(hls, playlist('#EXTINF:2,', 'a.m4s')),
  '/media/hls/secret.m3u8': file(hls, playlist('#EXT-X-KEY:METHOD=AES-128,URI="key"', '#EXTINF:2,', 'a.m4s', '#EXT-X-ENDLIST')),
  '/media/dashed': page(document('Dashed', '<h1>Film</h1><a href="/media/dash/film.mpd">The film</a>')),
  '/media/dash/film.mpd': file('application/dash+xml', manifest),
  '/media/dash/high-init.mp4': file('video/mp4', 'init,'),
  '/media/dash/high-001.m4s': file('video/mp4', '1,'),
  '/media/dash/high-002.m4s': file('video/mp4', '2'),
  '/media/dash/sound.m4a': file('audio/mp4', 'sound'),
  '/media/hosted': page(document('Hosted', '<h1>Film</h1><iframe src="https://www.youtube.com/embed/abc"></iframe>')),
  '/media/inside': page(document('Inside', '<h1>Film</h1><video src="http://10.0.0.1/film.mp4"></video>')),
  '/media/made': page(document('Made', '<h1>Film</h1><p>A film that a script puts here.</p><script>const v = document.createElement("video"); v.src = ["", "media", "film" + ".mp4"].join("/"); document.body.append(v)</script>')),
}
