import { expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Skiff</title><body><nav><a href=/a>Boats</a></nav>${body}</body>`
  return read({ requestedUrl: 'https://docs.example/skiff', url: 'https://docs.example/skiff', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const prose = 'A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.'

it('leaves out a list that turns pages, whatever it is called', () => {
  const goods = ['Oak', 'Larch', 'Pine'].map((name) => `<li><strong><a href="/${name}">${name} skiff</a></strong><div>$77.00</div></li>`).join('')
  const pager = `<ul><li><strong><span>You're currently reading page</span> <span>1</span></strong></li><li><a href="?p=2"><span>Page</span> <span>2</span></a></li><li><a href="?p=2"><span>Page</span> <span>Next</span></a></li></ul>`
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p><ol>${goods}</ol>${pager}</main>`)).toMatch(/Pine skiff.*\n\n {3}\$77\.00\n$/)
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p><ul><li>1</li><li>7</li><li>22</li></ul></main>`)).toMatch(/- 1\n- 7\n- 22\n$/)
  const years = [2024, 2023, 2022].map((year) => `<li><a href="/best-of-${year}">${year}</a></li>`).join('')
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p><ul>${years}</ul></main>`)).toContain('- [2024](https://docs.example/best-of-2024)\n- [2023]')
})
