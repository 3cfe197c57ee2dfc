import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { startTrawl } from '../service.ts'
import { startSite } from '../site/index.ts'
import { document, file, page } from '../site/page.ts'

const program = '/usr/bin/yt-dlp'

it('yt-dlp finds the video of an unknown player, through the egress guard', async () => {
  if (!existsSync(program)) throw new Error('yt-dlp is not on this machine (package "yt-dlp")')
  const site = await startSite({
    '/secret-film.mp4': file('video/mp4', Buffer.from('a film that only a script names')),
    '/jw': page(document('Jw', '<h1>Film</h1><div id="film"></div><script>jwplayer("film").setup({ file: "/secret-film.mp4", title: "Film" })</script>')),
  })
  const trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_CHROMIUM_PATH: '/nowhere/chromium', TRAWL_MEDIA_EXTRACTOR: program } })
  try {
    const { json } = await trawl.scrape({ url: site.url('/jw'), formats: ['video'] })
    expect(await (await fetch(String(json.data.video))).text()).toBe('a film that only a script names')
  } finally {
    await trawl.stop()
    await site.close()
  }
})
