import { describe, expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { clean } from '../clean/index.ts'
import type { Page } from '../clean/step.ts'
import { copy } from '../html/copy.ts'
import { parse } from '../html/parse.ts'
import { Matcher } from '../selectors/selectors.ts'
import { oneLine, textOf } from '../html/tree.ts'
import { isForum } from './kinds/forum.ts'
import { atOnce } from '../../lib/in-steps.ts'
import { mainContent } from './index.ts'

const prose = 'The ferry leaves at dawn, crosses the sound in an hour, and waits at the far pier until the market closes. '

function content(html: string, url = 'https://site.example/news/ferry'): { text: string; confidence: number; steps: readonly string[] } {
  const { document } = parse(html)
  const page: Page = { document, url, removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => {} }
  clean(page, readDefaults)
  const main = atOnce(mainContent(page))
  const text = oneLine(textOf(copy(main.roots, page.removed)).replace(/(?<=\S)(?=<)/g, ' '))
  return { text, confidence: main.confidence, steps: main.removals.map((removal) => removal.step) }
}

function textOfContent(html: string, url?: string): string {
  return content(html, url).text.replaceAll(prose.trim(), 'P').replace(/P( ?P)+/g, 'P')
}

const menu = `<div class=menu><ul>${['Install', 'Settings', 'Knots', 'Prices', 'Harbours', 'Moorings', 'Sails', 'About all of us'].map((name) => `<li><a href=/${name}>${name} of the boats</a>`).join('')}</ul></div>`
const p = `<p>${prose.repeat(3)}</p>`
const archive = ['Low tide at the old pier', 'Three knots are enough', 'Harbour prices for guests', 'The noise in the engine'].map((title, i) => `<div class=entry><a href=/${i}>${title}</a></div>`).join('')

describe('the main content', () => {
  it.each([
    ['is the article with its heading, without what stands around it', `<header><a href=/>Site</a></header><nav><a href=/a>A</a></nav><main><article><h1>Ferry</h1>${p}${p}</article></main><aside>Side</aside><footer>Imprint</footer>`, 'FerryP'],
    ['is the main element of a short page, however little that says', `<body class=page><header><a href=/>Brand</a><nav><a href=/a>About us</a><a href=/b>Boats and prices</a></nav></header><main><h1>Contact</h1><p>Call us on 0123 456789.</p></main><footer><ul><li><a href=/j>Careers</a></li></ul><p>© Brand Ltd, East Quay 4, Harbour town. All rights reserved. Registered in the harbour town.</p></footer></body>`, 'ContactCall us on 0123 456789.'],
    ['has remarks on names of files, which no reader wrote', `<main><h1>Files</h1>${p}<ul><li><span class=entry><b>boat.ts</b> <span class=comment>the first boat</span></span></li></ul><p><span class=comment>I like it</span></p></main>`, 'FilesP boat.ts the first boat'],
    ['has the heading of a short page that stands in its header', `<body><header><nav><a href=/a>About</a></nav><h1>Brand</h1><p>We build boats.</p></header><main><h2>Boats</h2><p>${prose.repeat(2)}</p></main><footer>Imprint</footer></body>`, 'BrandBoatsP'],
    ['has headings that are buttons', `<main><h1>Questions</h1>${['One', 'Two'].map((n) => `<div class=accordion-item><h2><button type=button aria-expanded=false data-bs-target="#c${n}">${n}?</button></h2><div id=c${n} class="accordion-collapse collapse"><p>${prose}</p></div></div>`).join('')}<button>Ask us</button></main>`, 'QuestionsOne?P Two?P'],
    ['has cells, terms and questions that are buttons', `<article>${p}<table><tr><th><button>Boat</button></th><th><button>Fare</button></th></tr><tr><td>Skiff <button>Sort</button></td><td><button>10</button></td></tr></table><dl><dt><button>Deck</button></dt><dd>${prose}</dd></dl><div><button>Why?</button><div>${prose}</div></div><button>Book now</button></article>`, 'P BoatFareSkiff 10DeckP Why?P'],
    ['has names of parts that buttons open', `<main><h1>Course</h1>${['One', 'Two'].map((n) => `<div><button aria-expanded=false><h3>Unit ${n}</h3></button><div><p>${prose}</p></div></div>`).join('')}<div><button aria-expanded=false>Thanks</button><div><p>${prose}</p></div></div><button aria-expanded=false>Menu</button><ul><li><a href=/a>A list of all courses</a></ul></main>`, 'CourseUnit OneP Unit TwoP ThanksP A list of all courses'],
    ['has questions that are buttons above their answers', `<main><h1>Questions</h1>${['One', 'Two'].map((n) => `<div><div><button aria-expanded=false aria-controls=c${n}><span>${n}?</span></button></div><div id=c${n}><p>${prose}</p></div></div>`).join('')}<button aria-controls=list>Towns</button><ul id=list><li>Here</ul></main>`, 'QuestionsOne?P Two?P Here'],
    ['of a short page has headings that say what buttons say, above text', `<article>${p}<h2>Close</h2><p>${prose}</p><h3><span>Next</span></h3><p>${prose}</p><h2>Share</h2><p>Mail</p></article>`, 'P CloseP NextP'],
    ['has words that buttons say where nothing else makes them buttons', `<article>${p}<p>Listen</p><p>The tide.</p><p>Close.</p><h2>Report</h2><p>All is well.</p><p class=btn>Listen</p><p><span role=button>Close</span></p><h3>Search</h3><form><input></form></article>`, 'P ListenThe tide.Close.ReportAll is well.'],
    ['of a short page has lists of other sites, and none of its own pages or of its profiles', `<article>${p}${p}<ul><li><a href="https://pier.example.org/">The pier</a></li><li><a href="https://www.tides.example.net/a">Tide tables</a></li><li><a href="//wind.example.com">The wind</a></li></ul><ul><li><a href=/a>Boats</a></li><li><a href=/b>Sails</a></li><li><a href=/c>Moorings</a></li></ul><ul><li><a href="https://www.facebook.com/ferry">Ferry</a></li><li><a href="https://x.com/ferry">@ferry</a></li><li><a href="https://instagram.com/ferry">#ferry</a></li></ul></article>`, 'P The pierTide tablesThe wind'],
    ['is both posts of a thread of two', `<body><header role=banner><a href=/>Hub</a></header><main><h1>Crash at the pier</h1><div class=thread>${['It crashes.', 'I can confirm.'].map((text) => `<div class=timeline-item><h3><a href=/u>ann</a> wrote</h3><table><tr><td class="d-block markdown-body"><p>${text} ${prose}${prose}</p></td></tr></table></div>`).join('')}</div></main></body>`, 'Crash at the pierann wroteIt crashes. P ann wroteI can confirm. P'],
    ['takes the first heading along from above the body', `<div class=top><h1>Ferry</h1></div><div class="x"><div class="entry-content">${p}${p}${p}</div><div class=y>More of the site here</div></div>`, 'FerryP'],
    ['leaves out the name of the site above the body, when the title of the page tells them apart', `<title>The ferry | Boats</title><div class=top><h1>Boats</h1></div><div class="x"><div class="entry-content"><h1>All about the ferry #</h1>${p}${p}</div><div class=y>More of the site here</div></div>`, 'All about the ferry #P'],
    ['of a page that says next to nothing else is its one short text', `<title>Low tide | Boats</title>${menu}<div class=wrap><article><div class=entry-content><h1>Low tide</h1><p>The pier stood dry, for the first time since the storm.</p><p>We found two crab pots.</p></div></article></div><footer>Made by hand</footer>`, 'Low tideThe pier stood dry, for the first time since the storm.We found two crab pots.'],
    ['of a page that says next to nothing else is its list below the heading', `<title>Changes</title>${menu}<div role=main><h1>Changes</h1><ul><li>Reads sensors over the air, too, if there is one</li><li>Writes no line twice after a restart</li></ul></div><div role=dialog><p>From here you can search: type the words that you look for, then press a key.</p></div>`, 'ChangesReads sensors over the air, too, if there is oneWrites no line twice after a restart'],
    ['of a short page has its title, also from a banner', `<title>Low tide - Boats</title><header class=banner><h1><a href=/>Boats</a></h1>${menu}<div class=banner-text><h1>Low tide</h1></div></header><div class=wrap><div class=entry-content>${p}</div></div>`, 'Low tideP'],
    ['of a short page has its title, not the heading that leads to the start of the site', `<title>Boats - Low tide</title><h1><a href=/>Boats</a></h1><section><header><h2><a href=/a>Low tide</a></h2></header><div class=entry-content>${p}</div></section>`, 'Low tideP'],
    ['leaves out the header of a site that stands in the content, and no header of a text', `<main><header><a href=/>Boats</a><p>Wood and tar</p></header><article><header><a href=/>Boats</a><h1>Low tide</h1></header>${p}<header><a href=/p/2>More</a></header></article></main>`, 'BoatsLow tideP More'],
    ['of a page that says next to nothing else is what its main element lists', `<body>${menu}<main><div class=list><ul><li>Reads sensors over the air, too, if there is one</li><li>Writes no line twice after a restart</li></ul></div></main><div class=tip><p>Would you like to buy us a coffee? It is two crowns.</p></div></body>`, 'Reads sensors over the air, too, if there is oneWrites no line twice after a restart'],
    ['of a page that says next to nothing else is the list behind its heading', `<title>Changes</title><div class=top><h1>Changes</h1></div>${menu}<div class=entry-content><ul><li>Reads sensors over the air, too, if there is one</li><li>Writes no line twice after a restart</li></ul></div><div class=tip><p>Would you like to buy us a coffee?</p></div>`, 'ChangesReads sensors over the air, too, if there is oneWrites no line twice after a restart'],
    ['leaves out a list of its headings, and keeps one that holds most of a page', `<article><h1>Knots</h1>${p}<h2>Bowline</h2>${p}<h2>Hitch</h2>${p}<div class="post-toc"><div class="toc-title">On this page</div><ol><li><a href="#b">Bowline</a><li><a href="#h">Hitch</a></ol></div></article>`, 'KnotsP BowlineP HitchP'],
    ['is a list of contents, if the page is that', `<div class=book><h1>Boats</h1><div class=toc><dl><dt><a href=c1>Planks of oak and of larch</a><dt><a href=c2>Sails, and how they are cut</a></dl></div></div>`, 'BoatsPlanks of oak and of larchSails, and how they are cut'],
    ['of a page of links is what it lists, not what stands aside', `<body><section>${archive}</section><aside><h3>Categories of all</h3><ul><li><a href=/n>Notes</a></ul><h3>Recent posts of us</h3><ul><li><a href=/1>Low tide at the old pier</a><li><a href=/2>Three knots are enough</a></ul></aside></body>`, 'Low tide at the old pierThree knots are enoughHarbour prices for guestsThe noise in the engine'],
    ['of a page of links is what it lists, not the menu with a word about the site', `<body><div class=top><a href=/>Boats</a><div>All of wood</div><ul><li><a href=/k>Knots</a><li><a href=/s>Sails</a><li><a href=/u>About us</a></ul></div><div class=list>${archive}${archive}</div><div class=end>By <a href=/w>Ann</a></div></body>`, 'Low tide at the old pierThree knots are enoughHarbour prices for guestsThe noise in the engine'.repeat(2)],
    ['of a home page is its recent posts, not those that stand aside', `<body><div class=recent-posts>${[1, 2, 3, 4].map((n) => `<div class=recent-post-item><div class=recent-post-info><a href=/${n}>Day ${n}</a><div class=content>${prose}</div></div></div>`).join('')}</div><div class=side><div class=card-recent-post><a href=/1>Day 1 of all</a><a href=/2>Day 2 of all</a></div></div></body>`, 'Day 1P Day 2P Day 3P Day 4P'],
    ['has the title of a page that no heading says, in place of the name of the site', `<title>Low tide at the pier - Boats</title><h1><a href=/>Boats</a></h1>${menu}<div class=hero><div class=post-title>Low tide at the pier</div><p>Wood and tar</p></div><div class=post><div class=post-content>${p}${p}</div></div>`, 'Low tide at the pierP'],
    ['has that title also where all of the page is content', `<title>Low tide at the pier - Boats</title><h1><a href=/>Boats</a></h1><article><div class=post-title>Low tide at the pier</div>${p}${p}${p}${p}${p}${p}</article>`, 'Low tide at the pierP'],
    ['has the title of an article that no heading says', `<title>Low tide at the pier - Boats</title>${menu}<main><div class=title>Low tide at the pier</div><div class=post-content>${p}${p}${p}${p}${p}</div></main>`, 'Low tide at the pierP'],
    ['has no title from a list, a trail or the name of the site, or behind it, and none beside a heading that says it', `<title>Low tide - Boats</title><div class=site-title>Low tide</div><ul class=breadcrumb><li><span itemprop=name>Low tide</span></ul><li class=post-title>Low tide</li><div class=post-content><h2>Low tide</h2>${p}${p}</div><div class=post-title>Low tide</div>`, 'Low tideP'],
    ['leaves out what is said about a post, and the links to those beside it, by their names', `<main><h1>Low tide</h1><ul class=post-metadata><li>2024-02-11<li><a href=/t>walks</a></ul>${p}<ul class=links-nextprev><li>← Previous<br><a href=/a>Rope for all</a><li>Next<br><a href=/b>Harbours</a> →</ul></main>`, 'Low tideP'],
    ['has the signatures of functions in their headings, and not those below posts', `<main><h1>Lamp</h1>${p}<h4 class=name><span class=type-signature>(static) </span>light<span class=signature>(seconds<span class=signature-attributes>opt</span>)</span></h4>${p}<div class=signature>Ann, sailor</div></main>`, 'LampP (static) light(secondsopt)P'],
    ['leaves out named furniture', `<div class="page">${p}${p}<div class="share-buttons">Share it</div><div class="newsletter-signup">Get mail</div><ul class="breadcrumbs"><li>Home</li></ul></div>`, 'P'],
    ['keeps headings and terms whatever they are named', `<article>${p}${p}<h2 class="anchor anchorWithStickyNavbar_x">Install</h2>${p}<dl><dt id="app.register">register()</dt><dd>${prose}</dd></dl></article>`, 'P InstallP register()P'],
    ['keeps sections whose id is made from their heading', `<article>${p}${p}<section id="times-related-to-tides"><h2>Times related to tides<a href="#times-related-to-tides">¶</a></h2><p>At dawn.</p></section><section id="related"><p>Other</p></section></article>`, 'P Times related to tides¶At dawn.'],
    ['keeps sections whose id is made from the words behind the number of their heading', `<article>${p}${p}<section id="advice-for-authors-of-related-posts"><h2><span>6.2. </span>Advice for authors of related posts</h2><p>At dawn.</p></section></article>`, 'P 6.2. Advice for authors of related postsAt dawn.'],
    ['keeps a cell that holds a remark', `<article>${p}<table><tr><td>Comments:</td><td class="tablecell comments">12 pages</td></tr><tr><td>Subject:</td><td>Boats</td></tr></table></article>`, 'P Comments:12 pagesSubject:Boats'],
    ['leaves out what a telling heading opens, up to the next heading of its rank', `<article>${p}${p}<h2>Related articles</h2><p>Other ferry</p><h2>Timetable</h2><p>At dawn.</p></article>`, 'P TimetableAt dawn.'],
    ['keeps what to see also in technical writing only', `<article><p><code>go</code> ${prose}<code>stop</code> ${prose}<kbd>C</kbd></p><h2>See also</h2><p><a href=1>wait</a></p></article>`, 'go P stop P CSee alsowait'],
    ['leaves out what to see also in other text', `<article>${p}<h2>See also</h2><p><a href=1>wait</a></p></article>`, 'P'],
    ['leaves out a box that a telling heading opens', `<article>${p}${p}<div><div><h3>You may also like</h3></div><p>Other boats of the line</p></div></article>`, 'P'],
    ['leaves out lists of links in prose', `<article>${p}<ul><li><a href=1>One ferry</a><li><a href=2>Two ferries</a><li><a href=3>Three ferries</a></ul>${p}</article>`, 'P'],
    ['has no heading whose list of links is left out', `<div>${p}${p}<h2>On the pier</h2><div><a href=1>One ferry</a><a href=2>Two ferries</a><a href=3>Three ferries</a></div><h2>Fares</h2><h3>Boats</h3><ul><li><a href=4>One boat</a><li><a href=5>Two boats</a><li><a href=6>Three boats</a></ul><p>10 crowns</p><h2>Map</h2><ul><li><a href=7>All of the land</a><li><a href=8>All of the sea</a><li><a href=9>All of the air</a></ul><img src=/map.png>`, 'P FaresBoats10 crownsMap'],
    ['keeps a heading without a part, and one above headings', `<div>${p}<h2>Fares</h2><h3>Boats</h3>${p}<h2>Closed</h2></div>`, 'P FaresBoatsP Closed'],
    ['keeps the only link of a page, whatever it says', `<body><div><h1>Ferry</h1><p>${prose}</p><p><a href=/m>Learn more</a></p></div>`, 'FerryP Learn more'],
    ['leaves out links that lead on, beside others', `<article>${p}<p><a href=/m>Learn more</a></p><p>By <a href=/s>sea</a>.</p></article>`, 'P By sea.'],
    ['keeps the links of a page that says little else', `<body><div><h1>Ferry</h1><p>A boat and its crew, on the sound.</p><ul><li><a href=1>Fares</a><li><a href=2>Times</a><li><a href=3>Crew</a></ul></div>`, 'FerryA boat and its crew, on the sound.FaresTimesCrew'],
    ['keeps a link in brackets', `<article>${p}<p>A boat of oak. (<a href=/m>Read more</a>) <a href=/s>Sea</a></p></article>`, 'P A boat of oak. (Read more) Sea'],
    ['leaves out readers\' comments', `<article>${p}${p}</article><div id="comments"><p>I took it once.</p></div>`, 'P'],
    ['keeps notes that stand aside', `<article>${p}${p}<aside class="note"><p>Bring a coat.</p></aside></article>`, 'P Bring a coat.'],
    ['keeps comments in code, whatever highlighters name them', `<article>${p}<pre><code><span class="hljs-comment">// board</span> go()</code></pre><p>Or <code><span class="token comment"># wait</span></code>.</p></article>`, 'P // board go()Or # wait.'],
    ['keeps words of code that read like offers of the page', `<article>${p}<pre><span class="nb">print</span>(1); <span>next</span>()</pre><p>Or <code><span>close</span>()</code>.</p></article>`, 'P print(1); next()Or close().'],
    ['of a short page is its only article whole, not its longest section', `<main><nav><a href=/>Up</a></nav><article><h1>Boats</h1><p>All of it.</p><section><h2>Sails</h2>${p}${p}</section></article></main>`, 'BoatsAll of it.SailsP'],
    ['is the article that is the main element', `<div role=navigation><a href=/>Up</a></div><article role=main><section><h1>Boats</h1><p>All of it.</p><section><h2>Sails</h2>${p}${p}</section></section></article>`, 'BoatsAll of it.SailsP'],
    ['keeps an alert below the title, and none above it or at the end of the page', `<div role=alert>We use cookies</div><div class=x><h1>Ferry</h1><div class=alert role=alert>Pier closed.</div>${p}</div><div role=alert>Sent</div>`, 'FerryPier closed.P'],
    ['leaves out what telling headings open in other languages', `<article>${p}${p}<ul><li><h3>اقرأ أيضا</h3></li><li><a href=1>x</a></li></ul><h2>関連記事</h2><p><a href=2>y</a></p><h2>相关阅读</h2><p><a href=3>z</a></p><h2>Similar properties</h2><p><a href=4>w</a></p><h2>Timetable</h2><p>At dawn.</p></article>`, 'P TimetableAt dawn.'],
    ['keeps what a cell says for those who do not see its mark', `<article>${p}<table><tr><th>Boat</th><td><span class="sr-only">Yes</span><svg></svg></td><td>Sails <span class="sr-only">only</span></td></tr></table></article>`, 'P BoatYesSails'],
    ['keeps the sections of a service page', `<main><section><h1>We build</h1><p>Boats and piers for small towns, since long ago.</p></section><section><h2>Boats</h2><p>Wooden boats of every size, made to last for years.</p></section><section><h2>Piers</h2><p>Piers of oak and steel, with lights and benches on them.</p></section></main><footer>Imprint</footer>`,
      'We buildBoats and piers for small towns, since long ago.BoatsWooden boats of every size, made to last for years.PiersPiers of oak and steel, with lights and benches on them.'],
    ['keeps all cards of a listing', `<nav><a href=/>Home</a></nav><main><ul>${[1, 2, 3, 4, 5, 6].map((n) => `<li><a href=/${n}><h3>Boat number ${n}</h3></a><span>${n}00 crowns a year</span></li>`).join('')}</ul></main>`,
      [1, 2, 3, 4, 5, 6].map((n) => `Boat number ${n}${n}00 crowns a year`).join('')],
    ['leaves out the links that skip the navigation, and no other to a place on the page', `<body><a class=skip href="#main">Skip to main content</a><div id=main><h1>Ferry</h1><p>Fares and times. <a href="#end">Jump to the end of the list</a></p><p id=end>Two boats.</p></div></body>`, 'FerryFares and times. Jump to the end of the listTwo boats.'],
    ['leaves out the links from the top of a page to the card of its recipe', `<article><h1>Soup</h1><div><a href="#card">Jump to Recipe</a> <a href="/print/1">Print Recipe</a></div>${p}<h2 id=card>Green soup</h2>${p}<p>Take <a href="/i">print recipe</a> or <a href="/s">all soups</a>.</p></article>`, 'Soup P Green soupP Take print recipe or all soups.'],
    ['keeps a link to print what has no card', `<article><h1>Soup</h1>${p}${p}<p>See the <a href="#b">broth</a>, and the sheet: <a href="/i">Print recipe</a>.</p></article>`, 'SoupP See the broth, and the sheet: Print recipe.'],
    ['keeps the label of an address, and no offer to send the page', `<main><h1>Ada Berg</h1><ul><li><strong>Email</strong> <a href="mailto:a@uni.example">a@uni.example</a></li><li><b>Phone</b> 555 0123</li></ul>${p}${p}<div><span>Email</span> <span>Print</span></div></main>`, 'Ada BergEmail a@uni.examplePhone 555 0123P'],
    ['keeps what posts of a forum quote and preview, and pictures that open', `<main><div class=post>${p}<aside class="quote no-group"><div class=title>ann:</div><blockquote>At noon.</blockquote></aside><aside class=onebox><h3><a href=/n>New ferry</a></h3></aside><aside class=other>Side</aside><a class=lightbox href=/b.jpg><img src=/s.jpg>Boat</a>${p}</div></main>`, 'P ann:At noon.New ferryBoatP'],
    ['is a page of a manual whole', `<table class=head><tr><td>SAIL(1)</td></tr></table><div class="manual-text"><section class="Sh"><h1 class="Sh">NAME</h1><p>sail - sail a boat</p></section><section class="Sh"><h1 class="Sh">DESCRIPTION</h1>${p}${p}</section><section class="Sh"><h1 class="Sh">SEE ALSO</h1><p><a href=1>row(1)</a>, <a href=2>moor(1)</a>, <a href=3>tow(1)</a></p></section></div>`, 'NAMEsail - sail a boatDESCRIPTIONP SEE ALSOrow(1), moor(1), tow(1)'],
    ['has the title that Doxygen writes', `<div id=top>Boats</div><div class=header><div class=summary><a href=a>Members</a></div><div class=headertitle><div class=title>Sail Class Reference</div></div></div><div class=contents>${p}${p}</div>`, 'Sail Class ReferenceP'],
    ['keeps a form that documents parameters', `<article><h1>Create a boat</h1>${p}${p}${p}<form><header><h3>Body</h3></header><div><label>name</label><span>string</span><div>Its name.</div><input></div></form><form><label>Mail</label><input><div>We send no more than one a month.</div></form></article>`, 'Create a boatP BodynamestringIts name.'],
    ['keeps what a form lists to be ticked off, and no filter', `<article>${p}${p}${p}<h2>You need</h2><form><ul><li><label><input type=checkbox> Tar</label><li><label><input type=checkbox> Rope</label></ul></form><fieldset><legend>For the deck</legend><input type=checkbox id=o><label for=o>Oak</label><input type=checkbox id=n><label for=n>Nails</label></fieldset><form><label><input type=checkbox name=length> Up to 9 m</label><label><input type=checkbox name=length> Up to 12 m</label></form></article>`, 'P You need Tar RopeFor the deckOakNails'],
    ['keeps the steps of a guide, and no list of links to steps', `<main><h1>Moor</h1>${p}${p}${p}<div id="step-by-step-navigation" class="step-nav"><ol><li><h3>Find a pier</h3><p>Look at the map of piers, and <a href=/p>book a place</a> there.</p></li><li><h3>Pay</h3><p>In coins.</p></li></ol></div><div class="step-navigation"><ol><li><p><a href=/1>Before you moor</a></p><li><p><a href=/2>After the storm</a></p></ol></div></main>`, 'MoorP Find a pierLook at the map of piers, and book a place there.PayIn coins.'],
    ['leaves out links that scripts make buttons of, and no others', `<main><h1>Ferry</h1>${p}<ul><li><a href="#">シェア</a><li><a href="javascript:print()">Druck</a></ul><p>The <a href="#">lark</a> and the <a href=/g>gull</a>, <a href=/t>tern</a>, <a href=/s>swan</a>, <a href=/e>eider</a> and <a href=/a>auk</a>.</p><h2><a href="#">Fares</a></h2><p><a href="#fares">10 crowns</a></p></main>`, 'FerryP The lark and the gull, tern, swan, eider and auk.Fares10 crowns'],
    ['keeps links to nowhere of a draft, where most are such', `<main><h1>Boats</h1><p>${prose}</p><ul><li><a href="#">Lark</a><li><a href="#">Gull</a></ul></main>`, 'BoatsP LarkGull'],
    ['leaves out the label of a field, and keeps that of a box to be ticked', `<main><h1>Ferry</h1>${p}<div><label for=y>Year</label><select id=y><option>2026</select></div><div><label for=n>Boats</label><input id=n></div><div><label for=t>Tar</label><input type=checkbox id=t></div><p>By <label for=none>sea</label>.</p></main>`, 'FerryP TarBy sea.'],
    ['of a short page leaves out what leads to pages beside it', `<main><h1>Ferry</h1>${p}<section><h2>More ferries</h2><ul><li><a href=/news/lark>Lark</a> at noon<li><a href=/news/gull/>Gull</a></ul></section><section><h2>Forms</h2><ul><li><a href=/news/fares.pdf>Fares</a><li><a href=/news/times.pdf>Times</a></ul></section></main>`, 'FerryP FormsFaresTimes'],
    ['of a short page is what leads to pages beside it, if it says little else', `<main><h1>Boats</h1><h2>In June</h2><ul><li><a href=/news/lark>Lark</a><li><a href=/news/gull>Gull</a></ul></main>`, 'BoatsIn JuneLarkGull'],
    ['keeps who is quoted', `<article>${p}<blockquote><p>Build it twice.</p><footer>— Old proverb</footer></blockquote>${p}</article>`, 'P Build it twice.— Old proverbP'],
    ['keeps a form that holds the heading', `<body><nav><a href=/>Home</a></nav><main><form><h1>Lamp</h1><p>49 crowns</p><button>Buy</button></form><p>${prose}</p></main></body>`, 'Lamp49 crownsP'],
    ['keeps a header that holds the text', `<header class="post">${p}${p}</header><footer>Imprint</footer>`, 'P'],
    ['keeps a form that holds the text', `<form>${p}${p}</form>`, 'P'],
  ])('%s', (_, html, expected) => {
    expect(textOfContent(html)).toBe(expected)
  })

  it('keeps comments on a forum', () => {
    const html = `<h1>Ferry times?</h1><div class="question"><p>When does the ferry leave in winter, and does it wait for the train?</p></div><div class="comments"><p>${'It leaves at noon in winter. '.repeat(12)}</p></div>`
    expect(textOfContent(html, 'https://forum.example/t/ferry/1')).toContain('It leaves at noon in winter.')
  })

  it.each([
    ['https://boards.greenhouse.io/brand/jobs/12', false],
    ['https://job-boards.eu.greenhouse.io/brand/jobs/12', false],
    ['https://boards.brand.example/jobs/12', false],
    ['https://jobs.community.example/sailor', false],
    ['https://boards.brand.example/topic/12', true],
    ['https://brand.example/topics/12-knots', true],
    ['https://brand.example/topic.php?id=12', true],
    ['https://docs.brand.example/topics/knots/', false],
    ['https://brand.example/topic/knots', false],
    ['https://code.example/brand/boats/issues/12', true],
    ['https://code.example/brand/boats/-/merge_requests/12', true],
    ['https://magazine.example/issues/spring', false],
    ['https://community.brand.example/jobs', true],
  ])('counts %s as a forum by its address: %s', (url, forum) => {
    expect(isForum(parse('<p>Sailor wanted</p>').document, url)).toBe(forum)
  })

  it.each([
    ['a long and a short one', prose.repeat(4)],
    ['two short ones beside a list of others', 'When does the ferry leave, and does it wait for the train from town?'],
  ])('keeps both posts of a short discussion: %s', (_, first) => {
    const post = (text: string, i: number): string => `<div id="post_${i}" class="topic-body"><div class="post-meta"><a href=/u>ann</a></div><div class="post"><p>${text}</p></div></div>`
    const others = `<div class="more"><h3>Topics</h3><table>${['Anchors for mud', 'Ropes of all kinds', 'Lights at the mole'].map((title, i) => `<tr><td><a href=/t/${i}>${title}, and where to buy them</a></td><td>12</td></tr>`).join('')}</table></div>`
    const html = `<div id=main><div><h1>Ferry times?</h1></div><div>${post(first, 1)}${post('At noon, see <a href=/n>the notes</a>.', 2)}</div>${others}</div>`
    expect(textOfContent(html, 'https://forum.example/t/ferry/1').replace(first.trim(), 'P').replaceAll(' ', '')).toBe('Ferrytimes?PAtnoon,seethenotes.')
  })

  it('keeps comments when the page has hardly any other text', () => {
    const html = `<h1>A link</h1><p>via somebody</p><ol class="comments">${`<li>${prose}</li>`.repeat(9)}</ol>`
    expect(textOfContent(html)).toBe('A linkP')
  })
})

describe('recall', () => {
  it('takes structured data when the page shows next to nothing', () => {
    const body = prose.repeat(6).trim()
    const found = content(`<title>x</title><script type="application/ld+json">${JSON.stringify({ '@graph': [{ '@type': 'NewsArticle', articleBody: body }] })}</script><div id="root"></div>`)
    expect(found).toEqual({ text: body, confidence: 0.4, steps: ['structured data'] })
  })

  it('takes the posts that forum software sends as data', () => {
    const topic = JSON.stringify({ post_stream: { posts: [{ cooked: `<p>${prose.repeat(2).trim()}</p>` }, { cooked: `<p>One more: ${prose.repeat(2).trim()}</p>` }] } })
    const data = JSON.stringify({ topic_12: topic, site: '{"text": "not this one, it is only a setting of the forum"}' }).replaceAll('"', '&quot;')
    const found = content(`<title>x</title><div id="data-preloaded" data-preloaded="${data}"></div><script src="/app.js"></script>`)
    expect(found.text).toBe(`${prose.repeat(2).trim()} One more: ${prose.repeat(2).trim()}`)
  })

  it('takes a recipe with ingredients and steps, and a product with its price before its description', () => {
    const soup = { '@type': ['Recipe'], name: 'Soup', description: 'Of fish & peas.', recipeIngredient: ['1 kg fish', '2 onions', 'peas < 1 kg'], recipeInstructions: [{ '@type': 'HowToStep', text: `Cut. ${prose}` }, { '@type': 'HowToSection', name: 'Cook', itemListElement: [{ text: `Cook. ${prose}` }] }] }
    const boat = { '@type': 'Product', name: 'Boat', description: prose.repeat(4).trim(), offers: [{ price: 700, priceCurrency: 'EUR' }], review: { reviewBody: `Good: ${prose.repeat(2).trim()}` } }
    const data = (thing: object): string => `<title>x</title><script type="application/ld+json">${JSON.stringify(thing).replaceAll('<', '\\u003c')}</script><div id="root"></div>`
    expect(content(data(soup)).text).toBe(`SoupOf fish & peas.1 kg fish2 onionspeas < 1 kgCut. ${prose.trim()}CookCook. ${prose.trim()}`)
    expect(content(data(boat)).text).toBe(`Boat${prose.repeat(4).trim()}700 EUR Good: ${prose.repeat(2).trim()}`)
  })

  it('takes the content in the script data of an empty page, without interface words and settings', () => {
    const state = { i18n: { help: prose.repeat(3) }, page: [{ title: 'Ferry', slug: 'ferry', html: `<p>${prose.repeat(3).trim()}</p>`, code: '{"a":1}', address: `https://site.example/${'a'.repeat(200)}` }, { name: 'Pier', text: prose.repeat(2).trim() }, { name: 'Again', text: prose.repeat(2).trim() }] }
    const scripts = [`<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state)}</script>`, `<script>window.__STATE__ = ${JSON.stringify(state)};</script>`]
    for (const script of scripts) expect(content(`<title>x</title><div id="root"></div>${script}`)).toEqual({ text: `Ferry ${prose.repeat(3).trim()} Pier ${prose.repeat(2).trim()}`, confidence: 0.2, steps: ['state data'] })
    expect(content(`<h1>Seen</h1>${p.repeat(3)}${scripts[0]}`).text).not.toContain('Pier')
  })

  it('is not misled by broken or deep structured data', () => {
    expect(content(`<script type="application/ld+json">{"articleBody": </script><script type="application/ld+json">${'['.repeat(20_000)}${']'.repeat(20_000)}</script><p>Few words.</p>`).text).toBe('Few words.')
  })

  it('uses the trees when the rules find next to nothing on a page with much text', () => {
    const card = (_: unknown, i: number): string => `<li><a href=/p/${i}>Wool runner number ${i} in grey</a> <a href=/p/${i}>$${i + 40}.00</a></li>`
    const found = content(`<nav><a href=/>Home</a></nav><main><h1>Runners</h1><ul class="related">${Array.from({ length: 60 }, card).join('')}</ul></main><footer>Terms</footer>`, 'https://shop.example/collections/runners')
    expect([found.text.slice(0, 39), found.text.slice(-26), found.steps]).toEqual(['RunnersWool runner number 0 in grey $40', 'r number 59 in grey $99.00', ['page furniture']])
  })

  it('is never empty for a page that has text', () => {
    const found = content(['one', 'two', 'three', 'four', 'five'].map((n) => `<footer>Only footer ${n}. </footer>`).join(''))
    expect(found).toEqual({ text: 'Only footer one. Only footer two. Only footer three. Only footer four. Only footer five.', confidence: 0.1, steps: ['relaxed'] })
  })

  it('keeps the crawler view of a forum in noscript', () => {
    const html = `<div id="app"></div><noscript><h1>Ferry</h1><div class="post">${p}</div><div class="post">${p}</div><a href=/2>next</a></noscript><script src=/a.js></script>`
    expect(textOfContent(html)).toContain('P')
  })

  it('is more confident about an article than about a list of links', () => {
    const article = content(`<article>${p.repeat(8)}</article>`).confidence
    const list = content(`<ul>${Array.from({ length: 40 }, (_, i) => `<li><a href=/${i}>A link of some length ${i}</a></li>`).join('')}</ul>`).confidence
    expect([article > 0.7, article > list]).toEqual([true, true])
  })

  it('answers the same for the same page', () => {
    const html = `<main>${p}<div class=related>x</div>${p}</main>`
    expect(content(html)).toEqual(content(html))
  })
})
