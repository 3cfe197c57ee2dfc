import { describe, expect, it } from 'vitest'
import { cpuMs, growth } from '../../../test/cpu.ts'
import { read } from '../../content/reading.ts'
import { readDefaults } from '../../domain/pages/reading.ts'
import { product } from '../product.ts'
import { fill } from './index.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const reading = (html: string, url = 'https://shop.test/p/1') =>
  read(
    { url, requestedUrl: url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body: Buffer.from(html), truncated: false, tlsVerified: true, engine: 'http', proxy: 'basic', at: 0 },
    readDefaults,
  )
const factsOf = (html: string, url?: string) => {
  const facts = reading(html, url).facts()
  if (facts === null) throw new Error('no page')
  return facts
}
const filled = (html: string, properties: object): unknown => fill({ type: 'object', properties }, factsOf(html)).value
const ld = (data: object): string => `<script type="application/ld+json">${JSON.stringify(data)}</script>`

const lamp = { '@type': 'Product', name: 'Harbour lamp', sku: 'HL-7', brand: { '@type': 'Brand', name: 'Tidewater' }, offers: { '@type': 'Offer', price: '49.90', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' }, aggregateRating: { ratingValue: '4.5', reviewCount: 12 } }
const shown = '<h1>Harbour lamp</h1><p>Tidewater, HL-7, 49,90 €. Rated 4.5 out of 5 by 12 reviews.</p>'

describe('a schema is filled from a page', () => {
  it('with its JSON-LD, in the types of the schema', () => {
    expect(filled(ld(lamp) + shown, { productName: text, price: number, currency: text, brand: text, sku: text, inStock: { type: 'boolean' }, rating: number, reviewCount: { type: 'integer' }, availability: { enum: ['in_stock', 'out_of_stock'] } })).toEqual({
      productName: 'Harbour lamp', price: 49.9, currency: 'EUR', brand: 'Tidewater', sku: 'HL-7', inStock: true, rating: 4.5, reviewCount: 12, availability: 'in_stock',
    })
  })

  it('with microdata and RDFa', () => {
    expect(filled('<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Rope</h1><span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="8">8.00</span><meta itemprop="priceCurrency" content="USD"></span></div>', { name: text, price: number, currency: text })).toEqual({ name: 'Rope', price: 8, currency: 'USD' })
    expect(filled('<div vocab="https://schema.org/" typeof="Event"><h1 property="name">Regatta</h1><time property="startDate" datetime="2026-07-01">1 July</time></div>', { name: text, startDate: { type: 'string', format: 'date' } })).toEqual({ name: 'Regatta', startDate: '2026-07-01' })
  })

  it('with labels and values that match', () => {
    const page = '<h1>Rope</h1><dl><dt>Weight:</dt><dd>3 kg</dd><dt>Colour</dt><dd>red</dd></dl><table><tr><th>Length</th><td>12 m</td></tr></table><p><strong>Material:</strong> hemp</p><p>Width: 1 cm</p><p>Width: 2 cm</p>'
    expect(filled(page, { weight: text, colour: text, length: text, material: text, width: text })).toEqual({ weight: '3 kg', colour: 'red', length: '12 m', material: 'hemp', width: null })
  })

  it('with the entries of lists, each separately', () => {
    const list = ld({ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', position: 1, item: { '@type': 'Product', name: 'Rope', offers: { price: 8 } } }, { '@type': 'ListItem', position: 2, item: { '@type': 'Product', name: 'Lamp' } }] })
    expect(filled(`${list}<h1>All things</h1><p>Rope 8.00</p>`, { products: { type: 'array', items: { type: 'object', properties: { name: text, price: number } } } })).toEqual({ products: [{ name: 'Rope', price: 8 }, { name: 'Lamp', price: null }] })
    const faq = ld({ '@type': 'FAQPage', mainEntity: [{ '@type': 'Question', name: 'When?', acceptedAnswer: { '@type': 'Answer', text: '<p>At noon &amp; later.</p>' } }] })
    expect(filled(faq, { faqs: { type: 'array', items: { type: 'object', properties: { question: text, answer: text } } } })).toEqual({ faqs: [{ question: 'When?', answer: 'At noon & later.' }] })
  })

  it('without a subtitle in the heading', () => {
    expect(filled('<title>Black rope | Ropes</title><h1>Black rope<span>Strong hemp for ships</span></h1>', { name: text })).toEqual({ name: 'Black rope' })
    expect(filled('<title>Learn JavaScript | Courses</title><h1>Learn Java<span>Script</span></h1>', { title: text })).toEqual({ title: 'Learn JavaScript' })
  })

  it('with the sign of a number', () => {
    expect(filled('<h1>Rope</h1><dl><dt>Lowest</dt><dd>−5 °C</dd><dt>Highest</dt><dd>40 °C</dd><dt>Range</dt><dd>3–5</dd><dt>Loss</dt><dd>($12)</dd></dl>', { lowest: number, highest: number, range: number, loss: number })).toEqual({ lowest: -5, highest: 40, range: null, loss: null })
  })

  it.each(['from 9 €', 'ab 9 €', 'à partir de 9 €', '¥900〜', 'less than 5', 'over 60', 'vor 2010', 'bis zu 3.200,00 €', '5+ years', '4½', '1.2k', '3 million', '2 Mio. €', '5 or more', 'was $20.00', '≥ 5'])('without a number from %j, which is only a bound or a part of it', (value) => {
    expect(filled(`<h1>Rope</h1><dl><dt>Load</dt><dd>${value}</dd></dl>`, { load: number })).toEqual({ load: null })
  })

  it('without what is struck out', () => {
    const page = '<h1>Rope</h1><dl><dt>Colour</dt><dd><s>Red</s> Blue</dd><dt>Length</dt><dd><span style="text-decoration:line-through">12 m</span></dd></dl><p>Width: <del>1 cm</del></p>'
    expect(filled(page, { colour: text, length: number, width: text })).toEqual({ colour: null, length: null, width: null })
    const table = '<table><tr><th>Name</th><th>Price</th><th>Colour</th></tr><tr><td>Rope</td><td><del>$12</del></td><td>red</td></tr><tr><td>Line</td><td>$3</td><td>blue</td></tr></table>'
    expect(filled(table, { ropes: { type: 'array', items: { type: 'object', properties: { name: text, price: number } } } })).toEqual({ ropes: [{ name: 'Rope', price: null }, { name: 'Line', price: 3 }] })
  })

  it('without the title of a page as the job title of a person', () => {
    expect(filled('<title>Jane Roe</title><h1>Jane Roe</h1>', { name: text, jobTitle: text })).toEqual({ name: 'Jane Roe', jobTitle: null })
    expect(filled(`${ld({ '@type': 'JobPosting', title: 'Pilot' })}<title>Pilot</title><h1>Pilot</h1>`, { jobTitle: text })).toEqual({ jobTitle: 'Pilot' })
  })

  it('without a share as a price', () => {
    expect(filled('<h1>Rope</h1><dl><dt>Price</dt><dd>20 % off</dd></dl>', { price: number })).toEqual({ price: null })
  })

  it("without the publisher in an author's name", () => {
    expect(filled(`${ld({ '@type': 'Article', headline: 'Rope', author: { '@type': 'Person', name: 'Ann Ray | The Newsroom' } })}<h1>Rope</h1><p>Ann Ray</p>`, { author: text })).toEqual({ author: 'Ann Ray' })
  })

  it('once if a value is repeated', () => {
    expect(filled('<h1>Rope</h1><dl><dt>Condition</dt><dd><span>Brand New</span><span>Brand New</span></dd></dl>', { condition: text })).toEqual({ condition: 'Brand New' })
  })

  it('with units in common spellings', () => {
    const weighing = (unit: object): string => ld({ ...lamp, weight: { '@type': 'QuantitativeValue', value: 1.5, ...unit } }) + shown + '<p>1.5 lb, 1.5 kilos, 1.5 kg, 1.5 XQ</p>'
    expect([{ unitCode: 'LBR' }, { unitCode: 'KGM', unitText: 'kilos' }, { unitCode: 'kg' }, { unitCode: 'XQ' }].map((unit) => filled(weighing(unit), { weight: text }))).toEqual([{ weight: '1.5 lb' }, { weight: '1.5 kilos' }, { weight: '1.5 kg' }, { weight: null }])
  })

  it('with phone numbers and addresses that are links, or labelled', () => {
    expect(filled('<h1>Rope</h1><p>Call us: 703-555-0142</p><p>info@shop.test</p>', { phone: text, email: text })).toEqual({ phone: '703-555-0142', email: 'info@shop.test' })
    expect(filled('<h1>Rope</h1><a href="tel:703-555-0142">703-555-0142</a> <a href="mailto:ann.ray@shop.test">ann.ray@shop.test</a>', { phone: text, email: text })).toEqual({ phone: '703-555-0142', email: 'ann.ray@shop.test' })
  })

  it('with company names that the page confirms', () => {
    const named = (page: string): unknown => filled(`${ld({ '@type': 'Organization', name: 'Ray Ropes' })}<h1>Rope</h1><p>Ray Ropes</p>${page}`, { companyName: text })
    expect([named('<p>© 2026 Ray Ropes Inc.</p>'), named('<title>Rope | Ray Ropes</title>'), named('<meta property="og:site_name" content="Ray Ropes">'), named('')]).toEqual([{ companyName: 'Ray Ropes' }, { companyName: 'Ray Ropes' }, { companyName: 'Ray Ropes' }, { companyName: null }])
  })

  it('with dates in the data that the page shows, or that no visible date contradicts', () => {
    const article = ld({ '@type': 'Article', headline: 'Rope', datePublished: '2024-05-19', dateModified: '2025-08-14' })
    expect(filled(`${article}<h1>Rope</h1><p>19 May 2024</p>`, { datePublished: text, dateModified: text })).toEqual({ datePublished: '2024-05-19', dateModified: '2025-08-14' })
    expect(filled(`${article}<h1>Rope</h1><p>On June 1, 2020 the first rope of all was made in a town far away, and a long sentence of many words says so on this page.</p>`, { datePublished: text })).toEqual({ datePublished: '2024-05-19' })
    expect(filled(`${article}<h1>Rope</h1><p>Updated August 14, 2025</p>`, { datePublished: text, dateModified: text })).toEqual({ datePublished: null, dateModified: '2025-08-14' })
  })

  it('and reports the source', () => {
    expect(fill({ type: 'object', properties: { name: text, weight: text } }, factsOf(`${ld(lamp)}${shown}<p>Weight: 2 kg</p>`)).sources).toEqual({ '/name': 'page', '/weight': 'label' })
  })
})

it.each([
  ['one long number', '1'.repeat(250_000)],
  ['prices alone', '$1 '.repeat(80_000)],
  ['empty lines', '<br>'.repeat(60_000)],
  ['one long word', 'By A'.repeat(60_000)],
  ['letters alone', 'A'.repeat(240_000)],
  ['names alone', 'Ann Ray, '.repeat(27_000)],
  ['days alone', '<p>May 5, 2024</p>'.repeat(15_000)],
  ['cards', '<meta property="og:title" content="a b c d e f g | h i j k"><meta name="author" content="Ann Ray"><meta name="date" content="2024-05-05">'.repeat(2_000)],
  ['headings', '<h1>a | b</h1>'.repeat(15_000)],
  ['articles', '<div itemscope itemtype="https://schema.org/Article"><b itemprop="headline">Rope</b><b itemprop="author">Ann Ray</b></div>'.repeat(3_000)],
])('quickly for a page of %s', (_, inside) => {
  const facts = factsOf(`${ld({ ...lamp, offers: { ...lamp.offers, price: '1' } })}<title>Rope: 1</title><h1>Rope</h1><h3>1</h3><p>${inside}</p><p>${inside}</p>`)
  expect(cpuMs(() => void fill({ type: 'object', properties: { name: text, author: text, price: number, currency: text, phone: text, email: text, companyName: text, datePublished: text, dateModified: text, inStock: { type: 'boolean' }, weight: text, rating: number } }, facts))).toBeLessThan(4_000)
})

it('reads the properties of one thing in linear time, however many it has', () => {
  const source = (count: number) => reading(`<div itemscope itemtype="https://schema.org/Article">${'<i itemprop="about">x</i>'.repeat(count)}</div>`)
  expect(growth(source, (page) => page.facts(), 500)).toBeLessThan(1.5)
})

describe('what a page does not prove', () => {
  it('is named also where a schema requires it without describing it', () => {
    const html = '<title>Rope</title><h1>Rope</h1><dl><dt>Weight</dt><dd>2 kg</dd></dl>'
    const properties = { title: text }
    expect(fill({ type: 'object', properties, required: ['title', 'warranty', 'weight'] }, factsOf(html))).toMatchObject({ value: { title: 'Rope', warranty: null, weight: '2 kg' }, missing: ['/warranty'] })
    expect(fill({ type: 'object', required: ['warranty'] }, factsOf(html))).toMatchObject({ value: { warranty: null }, missing: ['/warranty'] })
    const parts = { allOf: [{ type: 'object', properties, required: ['warranty'] }, { type: 'object', required: ['origin'] }] }
    expect(fill(parts, factsOf(html))).toMatchObject({ value: { title: 'Rope', warranty: null, origin: null }, missing: ['/origin', '/warranty'] })
  })

  it.each([
    ['a price that nobody sees', ld(lamp) + '<h1>Harbour lamp</h1>', { price: number }],
    ['a brand that nobody sees', ld({ ...lamp, brand: 'Hidden' }) + shown, { brand: text }],
    ['one of several prices', ld({ ...lamp, offers: [{ price: 49.9 }, { price: 12 }] }) + shown + '<p>12</p>', { price: number }],
    ['one of several products', ld({ '@graph': [lamp, { '@type': 'Product', name: 'Rope' }] }) + '<h1>All things</h1><p>49,90</p>', { sku: text, price: number }],
    ['an entry of a menu', '<ul><li>By Company Size</li></ul><h1>Rope</h1><p>Text</p>', { author: text }],
    ['a price that was', ld(lamp) + '<h1>Harbour lamp</h1><p>$39.00 $49.90</p>', { price: number }],
    ['a weight that nobody sees', ld({ ...lamp, weight: { '@type': 'QuantitativeValue', value: 1.5, unitCode: 'KGM' } }) + shown, { weight: text }],
    ['an author called as the site', ld({ '@type': 'Article', headline: 'Rope', author: { '@type': 'Person', name: 'Shop' } }) + '<h1>Rope</h1><p>by Shop</p>', { author: text }],
    ['a title in the head where a heading says something else', '<title>The best of ropes and sails | Shop</title><meta property="og:title" content="The best of ropes and sails"><h1>Gallery</h1>', { title: text }],
    ['one of several things in a heading', '<title>Rope by Shop</title><meta property="og:title" content="Rope"><h1>Rope Black | 44MM</h1>', { name: text }],
    ['an author with an office', '<h1>Rope</h1><p><span>Written by:</span> <a href="/a">Ann Ray</a> <b>Ropes &amp; Sails</b></p>', { author: text }],
    ['stock that the page says is gone', ld(lamp) + shown + '<p>No longer available</p>', { inStock: { type: 'boolean' } }],
    ['a day that only the software of the site says', ld({ '@type': 'WebPage', datePublished: '2015-06-04T18:42:54+00:00' }) + '<h1>Rope</h1>', { datePublished: text }],
    ['a title that is a label of a form', '<title>Rope | Shop | Sea</title><p>Title: Description</p>', { title: text }],
    ['a number of a template', '<h1>Rope works</h1><p>Call (123) 555-6789 or 555-555-5555</p>', { phone: text }],
    ['an author called admin', '<meta name="author" content="admin"><h1>T</h1><p>by admin</p>', { author: text }],
    ['a seller, when it is the product that has a name', ld(lamp) + shown, { seller: { type: 'object', properties: { name: text } } }],
    ['one of two authors of the data', ld({ '@type': 'Article', headline: 'Rope', author: [{ '@type': 'Person', name: 'Ann Ray' }, { '@type': 'Person', name: 'Bob Low' }] }) + '<h1>Rope</h1><p>Ann Ray</p><p>Bob Low</p>', { author: text }],
    ['an author who is named with another', '<meta name="author" content="Ann Ray"><h1>Rope</h1><p>By Ann Ray and Bob Low</p>', { author: text }],
    ['a company as the author where nobody says by whom', ld({ '@type': 'Article', headline: 'Rope', author: { '@type': 'Organization', name: 'Ray & Low' } }) + '<h1>Rope</h1><p>Ray &amp; Low is here to help</p>', { author: text }],
    ['what a link to an author is called that is no name', '<h1>Rope</h1><a rel="author" href="/a">View more posts</a>', { author: text }],
    ['a day that no value is', '<h1>Rope</h1><dl><dt>Published</dt><dd>Ann Ray</dd></dl>', { datePublished: text }],
    ['a day of the data where the page shows another', ld({ '@type': 'Article', headline: 'Rope', datePublished: '2024-05-19' }) + '<h1>Rope</h1><p>August 14, 2025</p>', { datePublished: text }],
    ['a day of the data where a line far below says another', `${ld({ '@type': 'Article', headline: 'Rope', datePublished: '2024-05-19' })}<h1>Rope</h1><p>${'Much text. '.repeat(400)}</p><p>Published August 14, 2025</p>`, { datePublished: text }],
    ['a day after that of the last change', ld({ '@type': 'Article', headline: 'Rope', datePublished: '2025-05-19', dateModified: '2025-05-10' }) + '<h1>Rope</h1>', { datePublished: text }],
    ['when a video on the page was put up', ld({ '@type': 'VideoObject', name: 'Why I love ropes and sails', uploadDate: '2024-05-19' }) + '<title>Best ropes and sails</title><h1>Best ropes and sails</h1>', { datePublished: text }],
    ['a name of menus for a company', '<h1>Rope</h1><p>Company: About Jobs</p>', { companyName: text }],
    ['one of several colours', '<h1>Rope</h1><dl><dt>Color</dt><dd><span>Red</span><span>Blue</span></dd></dl>', { color: text }],
    ['a colour that can be chosen', '<h1>Rope</h1><dl><dt>Color</dt><dd><label>Red<input type="radio"></label></dd></dl>', { color: text }],
    ['a sentence for a number of the shop', '<h1>Rope</h1><p>Item number: see below</p>', { sku: text }],
    ['a weight in the data alone', ld({ ...lamp, weight: '4.5 oz' }) + shown, { weight: text }],
    ['a price in another currency', ld(lamp) + '<h1>Harbour lamp</h1><p>€12.30, AED: 49.90AED</p>', { price: number }],
    ['a currency that no price has', ld({ ...lamp, offers: { price: 1, priceCurrency: 'GBP' } }) + '<h1>Harbour lamp</h1><p>$49.90</p>', { currency: text }],
    ['that something is gone which the page sells', ld({ ...lamp, offers: { availability: 'https://schema.org/OutOfStock' } }) + '<h1>Harbour lamp</h1><p>Add to cart</p>', { inStock: { type: 'boolean' } }],
    ['a name of one of its services for a company', `${ld({ '@type': 'ProfessionalService', name: 'Rope analytics' })}<title>Rope analytics services | Ray</title><h1>Rope analytics services</h1><p>Rope analytics</p>`, { companyName: text }],
    ['a sentence about a company for its name', '<meta property="og:site_name" content="Shop: ropes for all | Shop"><h1>Rope</h1><p>Shop: ropes for all | Shop</p>', { companyName: text }],
    ['a number in a picture of a program', '<h1>Rope</h1><div>Card</div><div>703 555 0142</div>', { phone: text }],
    ['a part of a longer number', '<h1>Rope</h1><p>Call 4242 4242 4242 4242</p>', { phone: text }],
    ['a number for emergencies', '<h1>Rope</h1><a href="tel:988">Call 988</a>', { phone: text }],
    ['a mail of a person that nobody links', '<h1>Rope</h1><p>Email</p><p>ann.ray@shop.test</p>', { email: text }],
    ['the day of one of several nameless articles', `${'<div itemscope itemtype="https://schema.org/Article"><meta itemprop="datePublished" content="2026-03-13">A sail</div>'.repeat(2)}<h1>Rope</h1>`, { datePublished: text }],
    ['a mail of another site', '<h1>T</h1><a href="mailto:me@elsewhere.test">write</a>', { email: text }],
    ['a rating of nobody', ld({ ...lamp, aggregateRating: { ratingValue: 4 } }) + '<h1>Harbour lamp</h1><p>Four lamps: 4. There are no reviews yet, and nothing else about what anybody thinks of them.</p>', { rating: number }],
  ])('stays null: %s', (_, html, properties) => {
    const { value, missing } = fill({ type: 'object', properties }, factsOf(html))
    expect(JSON.stringify(value)).toMatch(/null/)
    expect(missing.length).toBeGreaterThan(0)
  })
})

it.each([
  ['https://www.shop.co.uk/p/1', 'info@shop.co.uk', 'info@shop.co.uk'],
  ['https://eu.shop.test/p/1', 'info@shop.test', 'info@shop.test'],
  ['https://shop.test/p/1', 'info@mail.shop.test', 'info@mail.shop.test'],
  ['https://www.shop.co.uk/p/1', 'info@chandler.co.uk', null],
])('of %s: the mail %s is its own or null', (url, mail, own) => {
  expect(fill({ type: 'object', properties: { email: text } }, factsOf(`<h1>Rope</h1><a href="mailto:${mail}">${mail}</a>`, url)).value).toEqual({ email: own })
})

describe('the title of a page', () => {
  it.each([
    ['the heading that its title confirms', '<title>Rope | Shop</title><h1>Shop</h1><h1>Rope</h1>', 'Rope'],
    ['not the name of the site in its head', '<title>Rope: how long? - Arch Forums</title><h1>Arch</h1>', null],
    ['with the space that markup ate', '<title>Cosmetic Design | Shop</title><h1>Cosmetic<span>Design</span></h1>', 'Cosmetic Design'],
    ['not the name of the forum that the subject names, too', '<title>Rope in Arch Linux / Talk / Arch Linux Forums</title><h1>Arch Linux</h1>', null],
    ['what a heading says that stands behind the colon of its title', '<title>Lessons: The rope</title><h1>Lessons</h1><h3>The rope</h3>', 'The rope'],
    ['without the site that the address names', '<title>Rope | Shop</title><h1>Rope | Shop</h1>', 'Rope'],
    ['the only heading where the title is the host alone', '<title>Shop</title><meta property="og:title" content="Shop"><h1>Rope</h1>', 'Rope'],
    ['neither of two in the head that differ', '<title>Introducing Rope Nine</title><meta property="og:title" content="Rope"><p>All in one</p>', null],
    ['not what only its head says', '<title>Rope: Sails: Masts</title><p>All in one</p>', null],
    ['what its head says where a line of the page is the same', '<title>All in one rope</title><div>All in one rope</div><p>Text</p>', 'All in one rope'],
    ['what its card says where a site follows it in its title', '<title>How long a rope? - Talk - Sea Forums</title><meta property="og:title" content="How long a rope?"><p>Text</p>', 'How long a rope?'],
    ['not a heading with a day in it', '<title>How to coil a rope | Shop</title><h1>Dec 18 2025 How to coil a rope</h1>', null],
    ['not a heading with a count behind it', '<title>How to coil a rope - Slash</title><h1>How to coil a rope (sea.test) 87</h1>', null],
    ['not what kind of thing a heading says it is', '<title>How to coil a rope - Slash</title><h1>Blog: How to coil a rope</h1>', null],
    ['a heading with more about the thing', '<title>Rope works | Shop</title><h1>Rope works: how ropes are made</h1>', 'Rope works: how ropes are made'],
    ['with the space that markup ate between two parts of a title', '<title>Cosmetic Design - black - Shop</title><h1><span>Cosmetic</span><span>Design - black</span></h1>', 'Cosmetic Design - black'],
    ['not what software calls every first page', `${ld({ '@type': 'TechArticle', headline: 'Home' })}<title>Home - Shop</title><meta property="og:title" content="Home"><p>Home</p>`, null],
    ['without a button in the heading', '<title>Crate rope - Docs</title><h1>Crate rope <button>Copy path</button></h1>', 'Crate rope'],
    ['not the host', '<title>shop.test Rope Nine</title><h1>shop.test</h1>', null],
    ['not the first of several things that are headings', `${ld({ '@graph': [{ '@type': 'Article', headline: 'Rope' }, { '@type': 'Article', headline: 'Sail' }] })}<title>The sea blog</title><h1>Rope</h1><h1>Sail</h1>`, null],
    ['not an only heading where the page shows its title, too', '<title>How to start a rope work in York</title><h1>Form your York rope work today</h1><p><b>How to start a rope work in York</b></p>', null],
    ['without the site', '<title>Rope - Shop</title><meta property="og:site_name" content="Shop"><p>Text</p>', 'Rope'],
    ['the only heading where the title is the site alone', '<title>| Shop</title><h1>Rope</h1>', 'Rope'],
    ['not the words of a drawing', '<title>What of 2024?</title><h1><svg><title>Artboard</title></svg> What of 2024?</h1>', 'What of 2024?'],
  ])('is %s', (_, html, title) => {
    expect(filled(html, { title: text })).toEqual({ title })
  })
})

describe('a list of things has each of them', () => {
  const list = (name: string, ...fields: readonly string[]): object => ({ [name]: { type: 'array', items: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, text])) } } })
  const events = ['2027-01-01', '2027-01-02', '2027-01-03'].map((startDate) => ({ '@type': 'MusicEvent', name: 'The tide', url: 'https://shop.test/tide', startDate }))
  const micro = '<div itemscope itemtype="https://schema.org/MusicEvent"><b itemprop="name">The tide</b><a itemprop="url" href="https://shop.test/tide"></a><time itemprop="startDate" datetime="2027-01-01"></time></div>'

  it.each([
    ['those without name and address', ['A', 'B'].map((title) => ({ '@type': 'JobPosting', title })).map(ld).join(''), list('jobs', 'title'), { jobs: [{ title: 'A' }, { title: 'B' }] }],
    ['those of one name, on other days', events.map(ld).join(''), list('events', 'startDate'), { events: events.map(({ startDate }) => ({ startDate })) }],
    ['but what is said twice once', ld({ '@graph': [...events, ...events] }), list('events', 'startDate'), { events: events.map(({ startDate }) => ({ startDate })) }],
    ['also where it is said in two ways', events.map(ld).join('') + micro, list('events', 'startDate'), { events: events.map(({ startDate }) => ({ startDate })) }],
  ])('%s', (_, data, properties, expected) => {
    expect(filled(`<title>Dates and jobs</title><h1>Dates and jobs</h1>${data}`, properties)).toEqual(expected)
  })
})

describe('a product', () => {
  it('has the shape that clients know', () => {
    expect(product.run(reading(ld(lamp) + shown), { type: 'product' }).product).toEqual({ title: 'Harbour lamp', brand: 'Tidewater', url: 'https://shop.test/p/1', variants: [{ sku: 'HL-7', title: 'Harbour lamp', price: { amount: 49.9, currency: 'EUR' }, availability: { inStock: true, text: 'InStock' } }] })
  })

  it.each([
    ['InStock', { inStock: true, text: 'InStock' }],
    ['schema:InStock', { inStock: true, text: 'InStock' }],
    ['in_stock', { inStock: true, text: 'in_stock' }],
    ['Available', { inStock: true, text: 'Available' }],
    ['https://schema.org/OutOfStock', { inStock: false, text: 'OutOfStock' }],
    ['PreOrder', { inStock: false, text: 'PreOrder' }],
    ['Made to order', { inStock: false, text: 'Made to order' }],
    ['Auf Lager', undefined],
    ['true', undefined],
  ])('is said to be in stock or not only where its availability says so: %s', (availability, expected) => {
    expect(product.run(reading(ld({ ...lamp, offers: { ...lamp.offers, availability } })), { type: 'product' }).product?.variants[0]?.availability).toEqual(expected)
  })

  it('is called as a reader would see it, whatever references its data has', () => {
    const name = 'Caf&eacute; &#8220;Tide&#8221; &amp; &#x27;Ebb&#x27; &valueOf; &toString; R&D &notit;'
    expect(product.run(reading(ld({ ...lamp, name }) + `<h1>${name}</h1>`), { type: 'product' }).product?.title).toBe('Café “Tide” & \'Ebb\' &valueOf; &toString; R&D &notit;')
  })

  it('is omitted if there are several', () => {
    expect(product.run(reading(ld({ '@graph': [lamp, { '@type': 'Product', name: 'Rope' }] })), { type: 'product' })).toEqual({ warning: expect.stringContaining('no product, or several') })
  })
})

describe('hostile pages', () => {
  const many = 15_000
  it.each([
    ['JSON-LD that refers to itself', ld({ '@id': 'a', '@type': 'Product', name: 'X', isRelatedTo: { '@id': 'a' } })],
    ['JSON-LD by the ten thousand', ld({ '@graph': Array.from({ length: 5_000 }, (_, at) => ({ '@type': 'Product', name: `p${at}` })) })],
    ['things of one name', '<title>List</title>' + ld({ '@graph': Array.from({ length: 3_000 }, (_, at) => ({ '@type': 'Product', name: 'p', sku: String(Math.min(at, 300)) })) })],
    ['labels without end', '<p>a: b</p>'.repeat(many)],
    ['scopes in scopes', '<div itemscope itemtype="X" itemprop="y">'.repeat(many)],
    ['tables in tables', '<table><tr><td>'.repeat(many / 3)],
    ['a title of bars', `<title>${'| '.repeat(many)}</title><h1>${'a '.repeat(many)}</h1>`],
    ['mails and telephones', `${'a@a.'.repeat(many)}${'123-123-'.repeat(many)}${'<a href="tel:1%">x</a>'.repeat(100)}`],
    ['style sheets', `<style>${'.a{display:none}'.repeat(many)}${'/*'.repeat(many)}</style>`],
  ])('of %s cost linear time', (_, html) => {
    const began = process.cpuUsage()
    expect(filled(html, { title: text, author: text, phone: text, email: text, weight: text, products: { type: 'array', items: { type: 'object', properties: { name: text } } } })).toBeTypeOf('object')
    expect(reading(html).seenMarkdown()).toBeTypeOf('string')
    const { user } = process.cpuUsage(began)
    expect(user / 1000).toBeLessThan(8_000)
  })
})
