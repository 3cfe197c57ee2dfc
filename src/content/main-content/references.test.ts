import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Skiff</title><body><nav><a href=/a>Boats</a></nav>${body}</body>`
  return read({ requestedUrl: 'https://docs.example/skiff', url: 'https://docs.example/skiff', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const prose = 'A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.'

it('leaves out the links from things to their code', () => {
  const rustdoc = `<details open><summary><section id="method.row"><span class="rightside"><span class="since">1.1.0</span> · <a class="src" href="../src/skiff.rs.html#40">Source</a></span><h4>pub fn row(turns: u32)</h4></section></summary><p>Rows.</p></details>`
  const sphinx = '<dl><dt class="sig">land()<a class="reference internal" href="_modules/skiff.html"><span class="viewcode-link"><span class="pre">[source]</span></span></a></dt><dd><p>Lands.</p></dd></dl>'
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p>${rustdoc}${sphinx}</main>`)).toBe(`# Skiff\n\n${prose}\n\n**1.1.0**\n\n#### pub fn row(turns: u32)\n\nRows.\n\n**land()**\n\nLands.\n`)
})

it('keeps other links that say source', () => {
  const body = `<main><h1>Skiff</h1><p>${prose}</p><p><a href="/yard">Source</a></p><p><a class="reference external" href="/oak">Oak</a></p></main>`
  expect(markdownOf(body)).toMatch(/\[Source\].*\n\n\[Oak\]/)
})

it('keeps the words of a text, a list and a table that Sphinx links to where they are told of', () => {
  const inner = '<a class="reference internal" href="glossary.html#term-source"><span class="xref std std-term">source</span></a>'
  const outer = '<a class="reference external" href="https://yard.example/plans">source</a>'
  const body = `<p>Water runs from a ${inner} to a sink (${outer}).</p><dl><dt>Spring</dt><dd>A ${inner} in the hills.</dd></dl><ul><li>${inner}</li><li>sink</li></ul><table><tr><th>Part</th><th>Depth</th></tr><tr><td>${inner}</td><td>3 m</td></tr></table><p><a class="src" href="https://yard.example/water">Source</a></p>`
  const markdown = markdownOf(`<main><h1>Skiff</h1><p>${prose}</p>${body}</main>`)
  const term = '[source](https://docs.example/glossary.html#term-source)'
  for (const line of [`runs from a ${term} to a sink ([source](https://yard.example/plans)).`, `A ${term} in the hills.`, `- ${term}\n- sink`, `| ${term} | 3 m |`, '[Source](https://yard.example/water)']) expect(markdown).toContain(line)
})

it('keeps a box of what to see also in the text', () => {
  const box = '<div class="admonition seealso"><p class="admonition-title">See also</p><p><a href="server.html">The server</a></p></div>'
  expect(markdownOf(`<article role=main><h1>Skiff</h1><p>${prose}</p>${box}<section><h2>Errors</h2><p>${prose}</p></section></article>`)).toContain('**See also**\n\n[The server](https://docs.example/server.html)\n\n## Errors')
})
