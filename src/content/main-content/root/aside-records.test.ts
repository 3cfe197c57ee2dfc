import { expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

const prose = 'You wire boats from the battery to the light on the mast, and find out why a pump no longer starts.'

function linesOf(body: string, options = readDefaults): readonly string[] {
  const markdown = read({ requestedUrl: 'https://yard.example/7', url: 'https://yard.example/7', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(`<title>Electrician</title><body>${body}</body>`), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, options).markdown()
  return markdown.split(/\n+/).filter((line) => line !== '')
}

const facts = [['Place', 'Northport, Pier 4'], ['Pay', '€ 3,400 a month'], ['Until', '30 April']] as const
const text = `<article><h1>Electrician</h1><p>${prose}</p><p>${prose}</p></article>`
const more = '<h3>Similar jobs</h3><ul><li><a href="/1">Sailmaker</a></li><li><a href="/2">Welder</a></li></ul><button>Apply</button>'

it.each([
  ['a list', `<aside><ul>${facts.map(([name, value]) => `<li><span>${name}</span> <span>${value}</span></li>`).join('')}</ul>${more}</aside>`, facts.map(([name, value]) => `- ${name} ${value}`)],
  ['terms', `<div class="job-sidebar"><div><dl>${facts.map(([name, value]) => `<dt>${name}:</dt><dd>${value}</dd>`).join('')}</dl></div>${more}</div>`, facts.flatMap(([name, value]) => [`**${name}:**`, value])],
])('puts the facts of a short page back that stand aside in %s', (_, aside, lines) => {
  expect(linesOf(`<main>${text}${aside}</main>`)).toEqual(['# Electrician', prose, prose, ...lines])
  expect(linesOf(`<main>${text}${aside}</main>`, { ...readDefaults, excludeTags: ['aside', '.job-sidebar'] })).toEqual(['# Electrician', prose, prose])
})

it.each([
  ['two facts', `<aside><dl>${facts.slice(1).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl></aside>`],
  ['links', `<aside><ul>${facts.map(([name, value]) => `<li><span>${name}</span> <a href="/${name}">${value}</a></li>`).join('')}</ul></aside>`],
  ['what many things share', `<aside><div>${facts.map(([, value]) => `<div><p>Price</p><p>${value}</p></div>`).join('')}</div></aside>`],
  ['a form', `<aside><form><div>${facts.map(([name, value]) => `<div><p>${name}</p><p>${value}</p></div>`).join('')}</div></form></aside>`],
])('puts nothing back of %s', (_, aside) => {
  expect(linesOf(`<main>${text}${aside}</main>`)).toEqual(['# Electrician', prose, prose])
})

it('puts the facts back that stand aside under headings, and those that are lines, beside links', () => {
  const heads = facts.map(([name, value]) => `<div><h3>${name}</h3><p>${value}</p></div>`).join('')
  expect(linesOf(`<main>${text}<aside><div><h3>Site</h3><p><a href="/s">yard.example</a></p></div>${heads}${more}</aside></main>`)).toEqual(['# Electrician', prose, prose, ...facts.flatMap(([name, value]) => [`### ${name}`, value])])
  const lines = facts.map(([name, value]) => `<li><strong>${name}:</strong> ${value}</li>`).join('')
  expect(linesOf(`<main>${text}<div class="sidebar-section"><h6>Meta</h6><ul>${lines}</ul></div></main>`)).toEqual(['# Electrician', prose, prose, ...facts.map(([name, value]) => `- **${name}:** ${value}`)])
})
