import { expect, it } from 'vitest'
import { cpuMs } from '../../../../test/cpu.ts'
import { read } from '../../reading.ts'
import { readDefaults } from '../../../domain/pages/reading.ts'

const prose = '<p>A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.</p>'

function markdownOf(body: string): string {
  const capture = { requestedUrl: 'https://site.example/skiff', url: 'https://site.example/skiff', status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: Buffer.from(`<head><title>Skiff</title></head><body><main><h1>Skiff</h1>${prose}${body}</main></body>`), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  return read(capture, readDefaults).markdown().replaceAll(prose.slice(3, -4), 'P').replace(/\n+/g, ' | ')
}

for (const [length, more] of [['short', ''], ['long', prose.repeat(9)]] as const) {
  const rest = more === '' ? '' : 'P | '.repeat(9)
  it.each([
    ['a link and a line', `<a href=/d>View full details</a><div><span><b>Print recipe</b></span></div>${more}${prose}`, `# Skiff | P | ${rest}P | `],
    ['a heading with the few words below it', `${more}<section><h2>Get job alerts</h2><p>Be the first to hear.</p></section>${prose}`, `# Skiff | P | ${rest}P | `],
    ['an answer, by members', `<h2>Please <a href=/l>log in</a> or <a href=/r>register</a> to answer this question.</h2>${more}${prose}<p>Was this helpful?</p>`, `# Skiff | P | ${rest}P | `],
    ['the source of a method', `<div><code>row(oars)</code> <span class=advice>click to toggle source</span></div>${more}${prose}`, `# Skiff | P | \`row(oars)\` | ${rest}P | `],
    ['a link back', `<p><a href=/e>« All boats</a></p>${more}${prose}<p><a href=/e/1>← The last boat</a></p>`, `# Skiff | P | ${rest}P | `],
    ['a list that sends the page elsewhere', `${more}${prose}<ul><li><a href="#fb">Facebook</a></li><li><a href="https://x.example/intent/tweet?u=1"><span>Share on Twitter</span></a></li></ul>`, `# Skiff | P | ${rest}P | `],
    ['links above a recipe', `<div><a href="#card">Jump to Recipe</a> <a href=/p>Print</a> <a href=/s>Pin Recipe</a></div>${more}${prose}`, `# Skiff | P | ${rest}P | `],
    ['what buttons offer', `<a href=/b>Add to basket</a><p><a href=/map>Show on map</a></p>${more}${prose}<div><span>Sign up for free</span></div>`, `# Skiff | P | ${rest}P | `],
    ['what only links offer', `<p><a href=/q>Request a quote</a></p><a href=/signup>Get started →</a>${more}${prose}<a href=/m><span>Get directions</span></a>`, `# Skiff | P | ${rest}P | `],
    ['who owns the site, without a name for its foot', `${more}${prose}<div><div><b>Firm</b><a href=/about>About our yard</a><a href=/jobs>Work with us</a></div><div>© 2026 Yard</div></div><p>All rights reserved.</p>`, `# Skiff | P | ${rest}P | `],
    ['what old manuals write to turn their pages', `<a href=/2><img alt=next src=n.png></a><br><b> Next:</b> <a href=/2>Oars</a> <b>Up:</b> <a href=/>Boats</a>${more}${prose}`, `# Skiff | P | ${rest}P | `],
    ['the range of a list', `<p class=result-count>Showing 1–6 of 20 results</p>${more}${prose}`, `# Skiff | P | ${rest}P | `],
  ])(`leaves out what a ${length} page calls for: %s`, (_, body, expected) => {
    expect(markdownOf(body)).toBe(expected)
  })

  it(`keeps what the text of a ${length} page says about it`, () => {
    const body = `<p>You can <a href=/d>print this recipe</a> at home.</p><ul><li>Print recipe</li></ul>${more}<h2>Applying for this job</h2>${prose}<h2>Add to basket</h2>${prose}<p>© 2019 The authors</p><p>Directions</p><b>Next:</b> paint<p>Press <b>Buy now</b> then.</p><pre>Print recipe</pre>`
    expect(markdownOf(body)).toMatch(/You can \[print this recipe\].*- Print recipe \|.*Applying for this job.*## Add to basket.*© 2019.*Directions.*Next:.*\*\*Buy now\*\*.*Print recipe/)
  })
}

it('keeps quoted words that are a link, and the places where someone else is to be found', () => {
  const found = '<ul><li><a href="https://facebook.example/skiff">Facebook</a></li><li><a href="https://x.example/skiff">Twitter</a></li></ul>'
  expect(markdownOf(`<p><a href=/g>« La Guerre »</a></p>${found}${prose}`)).toMatch(/« La Guerre ».*Facebook.*Twitter/)
})

it('keeps a link to the first page of a manual', () => {
  expect(markdownOf(`${prose}<p><a href="/docs/start">Get started</a></p>`)).toContain('Get started')
})

it('is done quickly on a page of many lines', () => {
  const lines = '<p>Showing 1-2 of 3</p><h2>Get job alerts</h2><a href=/d>Email agent</a> '.repeat(5_000)
  expect(cpuMs(() => void markdownOf(lines))).toBeLessThan(5_000)
})

it('leaves out the other things that a heading on a short page offers, unless they are most of it', () => {
  const others = (heading: string): string => `<section><h2>${heading}</h2><ul><li><a href="/boats/dory">Dory</a></li><li><a href="/rafts/oak">Oak raft</a></li></ul></section>`
  for (const heading of ['You might also like', 'People also watch', 'More stories']) expect(markdownOf(others(heading))).toBe('# Skiff | P | ')
  expect(markdownOf(others('Built beside it'))).toContain('Dory')
})

it('keeps the notice of an owner where a text goes on behind it, and its wording as a heading', () => {
  expect(markdownOf(`<p>It is written like this:</p><p>Copyright 2026 Jane Doe. All rights reserved.</p><h2>All rights reserved</h2>${prose.repeat(8)}<p>All rights reserved.</p>`)).toBe(`# Skiff | P | It is written like this: | Copyright 2026 Jane Doe. All rights reserved. | ## All rights reserved | ${'P | '.repeat(8)}`)
})

it('leaves out what links of shops, clinics and forums offer', () => {
  expect(markdownOf(`<p><a href=/b>Book an appointment</a></p>${prose.repeat(8)}<a href=/ask>Ask question</a><p><a href=/x>Follow me on X</a></p>`)).toBe(`# Skiff | P | ${'P | '.repeat(8)}`)
})

it('leaves out the offer around the line for those who have subscribed, and neither a text nor a heading of the page', () => {
  const offer = '<div class=x><h2>Continue with a subscription</h2><ul><li>All stories</li></ul><p>Already a subscriber? <a href=/l>Log in</a></p></div>'
  expect(markdownOf(`${prose.repeat(8)}<p>Story continues below advertisement</p>${offer}`)).toBe(`# Skiff | P | ${'P | '.repeat(8)}`)
  expect(markdownOf(`<div><div><p>Already a subscriber? Sign in</p></div><p>${prose.repeat(2)}</p></div>${prose.repeat(8)}`)).toBe(`# Skiff | P | ${'P | '.repeat(10)}`)
})

it('leaves out what leads from a message of an archive of mail to others, and buttons without links right below the title', () => {
  const turns = '<ul><li>Previous message (by thread): <a href="000011.html">Release 3</a></li><li><b>Messages sorted by:</b> <a href="date.html#12">[ date ]</a></li></ul>'
  expect(markdownOf(`${turns}<hr>${prose}<hr>${turns}<a href=/list>More information about the boats mailing list</a>`)).toMatch(/^# Skiff \| P \| (?:--- \| )*P \| (?:--- \| )*$/)
  expect(markdownOf(`<ul><li>Changes since <a href="2024.html">2024</a></li><li>See <a href="000011.html">the first</a></li></ul>${prose}`)).toContain('the first')
  const body = `<ul><li>Share</li><li>Print</li><li>E-mail</li></ul>${prose}<ul><li>Print</li><li>Save</li></ul>`
  const page = { requestedUrl: 'https://site.example/n', url: 'https://site.example/n', status: 200, headers: [['content-type', 'text/html']] as const, body: Buffer.from(`<title>Notice</title><main><h1>Notice</h1>${body}</main>`), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  expect(read(page, readDefaults).markdown()).toMatch(/^# Notice\n\nA skiff[^]*- Print\n- Save\n$/)
})
