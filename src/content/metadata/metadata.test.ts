import { describe, expect, it } from 'vitest'
import { parse } from '../html/parse.ts'
import { metadata } from './index.ts'

function found(html: string, url = 'https://site.example/post'): Record<string, unknown> {
  const { author, publishedTime, modifiedTime, headline, siteName, canonicalUrl } = metadata(parse(html).document, { url, base: url })
  const all = { author, publishedTime, modifiedTime, headline, siteName, canonicalUrl }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const data = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const filler = '<p>Long text of a page.</p>'.repeat(9)

describe('the author', () => {
  it.each([
    ['of the structured data, in a graph, by reference', data({ '@graph': [{ '@type': 'WebPage', name: 'x' }, { '@type': 'Article', author: { '@id': '#a' } }, { '@type': 'Person', '@id': '#a', name: 'Ada Byron' }] }), 'Ada Byron'],
    ['and the second one, too', data({ '@type': 'NewsArticle', author: [{ name: 'Ada Byron' }, { name: 'Max Muster' }] }), 'Ada Byron, Max Muster'],
    ['of a meta element', '<meta name="author" content="By Ada Byron">', 'Ada Byron'],
    ['of papers, first name first', '<meta name="citation_author" content="Byron, Ada"><meta name="citation_author" content="Muster, Max">', 'Ada Byron, Max Muster'],
    ['of the card for social sites, where that is what it says', '<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ada Byron">', 'Ada Byron'],
    ['of microdata', '<div itemprop="author" itemscope><a href="/a"><span itemprop="name">Ada Byron</span></a>, engineer</div>', 'Ada Byron'],
    ['of a link to the author', '<h1>T</h1><a rel="author" href="/a">Ada Byron</a>', 'Ada Byron'],
    ['of an element that is named so', '<h1>T</h1><p class="post-author">Written by<span>Ada Byron</span><span>Editor of all things</span></p>', 'Ada Byron'],
    ['of the box about the author, whatever the link to all of the posts says', '<article><h1>T</h1><p>Text.</p><div class="author-bio"><h2 class="author-title">By Ada Byron</h2><a rel="author" href="/a">View all of Ada Byron\'s posts.</a></div></article>', 'Ada Byron'],
    ['and not what is said of the person', '<h2>Bug #1</h2><p class="author">Added by <a href="/u/5">Ada Byron</a> <a href="/today">3 minutes</a> ago.</p>', 'Ada Byron'],
    ['of a line under the heading', '<h1>T</h1><p>By Ada Byron | 5 min read</p>', 'Ada Byron'],
    ['behind what Russian says before it', '<h1>T</h1><p class="byline">Автор: Иван Петров</p>', 'Иван Петров'],
    ['behind what Arabic says before it', '<h1>T</h1><p class="byline">بقلم: أحمد علي</p>', 'أحمد علي'],
    ['behind what Turkish says before it', '<h1>T</h1><p class="byline">Yazar: Ayşe Çağrı</p>', 'Ayşe Çağrı'],
    ['rather than the site itself', `<meta property="og:site_name" content="Acme News"><meta name="author" content="Acme News"><h1>T</h1><p>By Ada Byron</p>`, 'Ada Byron'],
    ['or the site itself, where it says so and nobody else does', '<meta property="og:site_name" content="Acme"><meta name="author" content="Acme">', 'Acme'],
  ])('is found: %s', (_, html, author) => {
    expect(found(html + filler)['author']).toBe(author)
  })

  it.each([
    ['a role', '<meta name="author" content="admin">'],
    ['an address', '<meta property="article:author" content="https://social.example/ada">'],
    ['a number of the card', '<meta name="twitter:label1" content="Est. reading time"><meta name="twitter:data1" content="5 minutes">'],
    ['who comments', '<h1>T</h1><div class="comments"><div class="comment"><span class="author">Max Muster</span></div></div>'],
    ['a sentence', '<h1>T</h1><p>By the time that we came home it was dark.</p>'],
    ['a product of structured data', data({ '@type': 'Product', author: { name: 'Ada Byron' } })],
  ])('is never %s', (_, html) => {
    expect(found(html + filler)['author']).toBeUndefined()
  })
})

describe('the date of publication', () => {
  it.each([
    ['of the structured data', data({ '@type': 'BlogPosting', datePublished: '2024-05-17T08:00:00Z' }), '2024-05-17T08:00:00Z'],
    ['of a meta element, in the form of ISO 8601', '<meta name="date" content="May 17, 2024">', '2024-05-17'],
    ['of microdata', '<span itemprop="datePublished" content="2024-05-17">Friday</span>', '2024-05-17'],
    ['of a time element near the heading', '<h1>T</h1><time datetime="2024-05-17">Friday</time>', '2024-05-17'],
    ['of the footer of the article, and not of the comments below it', '<article><h1>T</h1><p>Text.</p><footer class="entry-footer"><time class="published" datetime="2024-05-17">x</time></footer></article><article class="comment-body"><footer><time datetime="2024-05-18">x</time></footer></article>', '2024-05-17'],
    ['of an element that is named so', '<h1>T</h1><span class="post-date">17. Mai 2024</span>', '2024-05-17'],
    ['of the line under the heading', '<h1>T</h1><p>Posted 17 May 2024</p>', '2024-05-17'],
    ['of day and month whose order shows', '<h1>T</h1><p>17/05/2024</p>', '2024-05-17'],
    ['of the page of the structured data, where nothing else says it', data({ '@type': 'WebPage', datePublished: '2024-05-17' }), '2024-05-17'],
  ])('is found: %s', (_, html, date) => {
    expect(found(html + filler)['publishedTime']).toBe(date)
  })

  it.each(['2024年5月17日', '公開日：２０２４年５月１７日', '令和6年5月17日', '2024년 5월 17일', '2024. 5. 17.', '17 Mayıs 2024', '17 Μαΐου 2024', '17 травня 2024', '17. května 2024', '2024. május 17.', '17 mai 2024', '17 Mei 2024', '17 ב מאי 2024'.replace(' מ', 'מ'), '١٧ مايو ٢٠٢٤', '17 مايو 2024', 'ngày 17 tháng 5 năm 2024'])('is recognized in other languages: %s', (text) => {
    expect(found(`<h1>T</h1><p class="date">${text}</p>${filler}`)['publishedTime']).toBe('2024-05-17')
    expect(found(`<h1>T</h1><p>${text}</p>${filler}`)['publishedTime']).toBe('2024-05-17')
  })

  it('is found in the address', () => {
    expect(found('<h1>T</h1>', 'https://site.example/2024/05/17/t.html')['publishedTime']).toBe('2024-05-17')
  })

  it('is not found in an address with a day that is in no calendar', () => {
    expect(found('<h1>T</h1>', 'https://site.example/2024/02/30/t.html')['publishedTime']).toBeUndefined()
  })

  it.each([
    ['of a teaser', '<h1>T</h1><aside><time datetime="2024-05-17">x</time></aside>'],
    ['of a change', '<h1>T</h1><p>Last updated: <span class="date">May 17, 2024</span></p>'.replace('class="date"', 'class="the-date"')],
    ['of a change, in other languages', '<h1>T</h1><p>更新日：2024年5月17日</p>'],
    ['that may be another day', '<h1>T</h1><p>03/04/2024</p>'],
    ['that is no day', '<meta name="date" content="2024-13-45">'],
    ['that is in no calendar', '<meta name="date" content="2024-02-31"><h1>T</h1><p>Posted 31 April 2024</p>'],
    ['before there were pages', '<meta name="date" content="0001-01-01">'],
  ])('is never one %s', (_, html) => {
    expect(found(html + filler)['publishedTime']).toBeUndefined()
  })
})

it.each(['<h2>2.1.0 (2024-05-17)</h2>', '<h3>[<a href=/c>2.1.0</a>] - 2024-05-17</h3>', '<h2>v2.1, 17 May 2024</h2>'])('is not the date of the release that a list of changes begins with: %s', (html) => {
  expect(found(`<h1>Changes</h1>${html}<ul><li>Faster</li></ul>`)['publishedTime']).toBeUndefined()
})

it('is not the date or the author of an entry that a page lists', () => {
  const entry = (day: number): string => `<article><h2><a href="/${day}">Tide ${day}</a></h2><p>Low water.</p><time class="entry-date published" datetime="2024-02-0${day}">0${day}.02.</time> by <a rel="author" href="/ada">Ada Byron</a></article>`
  expect(found(`<main><header><h1>Month: February 2024</h1></header>${entry(2)}${entry(1)}</main>`)).toEqual({ headline: 'Month: February 2024' })
  expect(found(`<main><h1>Tides</h1>${entry(2)}</main>`)).toEqual({ headline: 'Tides' })
  // What a lower heading of a post names is who wrote it.
  expect(found('<h1>Tides</h1><article><h4><a href="/ada">Ada Byron</a></h4><time datetime="2024-02-03">3.2.</time><p>Low water.</p></article>')).toMatchObject({ publishedTime: '2024-02-03' })
  // A page that repeats its title as a heading without a link is about one article.
  expect(found(entry(2).replace(/<a href="\/2">(.*?)<\/a>/, '$1').replace('<article>', '<h1>Tides</h1><article>'))).toMatchObject({ author: 'Ada Byron', publishedTime: '2024-02-02' })
})

it('is distinguished from the date of a change', () => {
  expect(found(data({ '@type': 'Article', dateModified: '2024-06-01' }))['modifiedTime']).toBe('2024-06-01')
  expect(found('<h1>T</h1><time class="updated" datetime="2024-06-02">x</time>')['modifiedTime']).toBe('2024-06-02')
})

describe('headline and site', () => {
  it('are separated if the heading or the site name shows how', () => {
    expect(found('<title>The tide | Acme News</title><h1>The tide</h1>')).toEqual({ headline: 'The tide' })
    expect(found('<title>Client — Ferry 2.1 documentation</title><h1><a href="#c">#</a>Client<a class="headerlink" href="#c">¶</a></h1>')['headline']).toBe('Client')
    expect(found(`<title>The tide - Acme</title>${data({ '@type': 'WebSite', name: 'Acme' })}`)).toEqual({ headline: 'The tide', siteName: 'Acme' })
  })

  it('are separated by a heading that leads to the start of the site', () => {
    expect(found('<title>The tide - Acme</title><h1><a href=/>Acme</a></h1><h1>The tide</h1>')).toEqual({ headline: 'The tide' })
    expect(found('<title>Acme - The tide</title><a href=/><h1>Acme</h1></a><h2>The tide</h2>')).toEqual({ headline: 'The tide' })
    expect(found('<title>tide [Acme]</title><h1 class="logo"><a href="/w.php?id=start"><img src=l.png alt=""> Acme</a></h1><h1>The tide</h1>', 'https://site.example/w.php?id=tide')['headline']).not.toBe('Acme')
    expect(found('<title>Acme | News</title><h1><a href=/>Acme</a></h1>', 'https://site.example/')).toEqual({ headline: 'Acme' })
  })

  it('lack the marks of links to the heading, also those that nobody sees', () => {
    expect(found('<title>Tides | Acme</title><h1>Tides <a class="header-anchor" href="#tides">\u200b</a></h1>')['headline']).toBe('Tides')
  })

  it('are omitted if the title contains all, or nothing shows how to split it', () => {
    expect(found('<title>The tide</title><h1>The tide</h1>')).toEqual({})
    expect(found('<title>The tide - Acme</title><h1>Welcome</h1>')).toEqual({})
  })

  it('are returned with the canonical address of the page', () => {
    expect(found('<link rel="canonical" href="/tide">')).toEqual({ canonicalUrl: 'https://site.example/tide' })
    expect(found('<template><link rel="canonical" href="/no"></template><link rel="canonical" href="mailto:a@site.example"><link rel="shortlink Canonical" href="/tide"><link rel="canonical" href="/other">')).toEqual({ canonicalUrl: 'https://site.example/tide' })
  })

  it('name the first icon that has an address', () => {
    expect(metadata(parse('<link rel="apple-touch-icon" href="/touch.png"><link rel="icon" href="data:image/svg+xml,x"><link rel="icon" href="/i.png">').document, { url: 'https://site.example/', base: 'https://site.example/' })).toMatchObject({ favicon: 'https://site.example/i.png' })
  })
})

it('cannot be made to say what the service says, under its names or those of the Python client', () => {
  const names = ['numPages', 'num_pages', 'status_code', 'source_url', 'sourceURL', 'cached_at', 'concurrency_limited', 'concurrency_queue_duration_ms', 'proxy_used', 'og_locale_alternate', 'code', 'modelCallsSaved', 'model_calls_saved']
  const html = `<title>T</title>${names.map((name) => `<meta name="${name}" content="forged">`).join('')}<meta name="number_of_pages" content="7"><meta name="ogLocaleAlternate" content="de_DE">`
  expect(metadata(parse(html + filler).document, { url: 'https://site.example/', base: 'https://site.example/' })).toEqual({ title: 'T', number_of_pages: '7' })
})

it('what the contract names has room however many names of its own a page has', () => {
  const html = `<html lang="en"><head>${Array.from({ length: 250 }, (_, at) => `<meta name="own${at}" content="x">`).join('')}<title>T</title><meta name="description" content="D"><meta property="og:title" content="O"><link rel="icon" href="/i.ico"></head>`
  const all = metadata(parse(html).document, { url: 'https://site.example/', base: 'https://site.example/' })
  expect(all).toMatchObject({ title: 'T', description: 'D', ogTitle: 'O', language: 'en', favicon: 'https://site.example/i.ico', own199: 'x' })
  expect(all).not.toHaveProperty('own200')
})

it('are found in linear time on pages of any size and shape', () => {
  const many = '<div class="author">By A</div><time>x</time><meta name="author" content="x">'
  const cost = (count: number): number => {
    const { document } = parse(`<h1>T</h1>${many.repeat(count)}`)
    const start = process.cpuUsage()
    metadata(document, { url: 'https://site.example/', base: 'https://site.example/' })
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  cost(500)
  expect(cost(10_000) / Math.max(cost(1_000), 2_000)).toBeLessThan(40)
})

it('no value or name keeps a control character, and no name becomes one of the service by losing them', () => {
  const html = '<html lang="en\u001b"><title>A\u001b]0;x\u0007b\u009b</title><meta name="a\u001bb" content="c\u001b[31md"><meta name="__proto\u001b__" content="x"><meta name="status\u001bCode" content="200"><meta property="og:locale:alternate" content="de\u0008_DE">'
  expect(metadata(parse(html).document, { url: 'https://site.example/', base: 'https://site.example/' })).toEqual({ title: 'A]0;xb', language: 'en', ab: 'c[31md', ogLocaleAlternate: ['de_DE'] })
})
