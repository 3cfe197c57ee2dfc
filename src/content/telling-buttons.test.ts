import { describe, expect, it } from 'vitest'
import { parse } from './html/parse.ts'
import { tells } from './telling-buttons.ts'
import { elements } from './html/tree.ts'

const answer = '<div>The boat leaves at dawn and at noon.</div>'

function telling(html: string): readonly string[] {
  return elements(parse(html).document).filter((element) => element.name === 'button' && tells(element)).map((button) => button.attribs['class'] ?? '')
}

describe('a button that carries information', () => {
  it.each([
    ['as all that a cell holds', '<table><tr><th><span><button class=a>Price</button></span><th>Boat <button class=b>sort</button><tr><td><button class=c>10</button> <td>Skiff<button class=d>Buy</button></table>', ['a', 'c']],
    ['as a term or a summary', '<dl><dt><button class=a>Fare</button><dd><button class=b>More</button></dl><details><summary><button class=c>Times</button></summary></details>', ['a', 'c']],
    ['when it asks what is answered below', `<div><div><button class=a><b>When?</b></button></div>${answer}</div><div><button class=b>Really?</button></div>`, ['a']],
    ['in other scripts, too', `<button class=a>いつ？</button>${answer}<button class=b>متى؟</button>${answer}`, ['a', 'b']],
    ['when it opens what follows', `<div><button class=a aria-expanded=false><span>Shipping</span></button></div>${answer}<button class=b aria-expanded=false>Boats</button><ul><li><a href=/s>Skiffs and all other boats</a></ul><button class=c>Shipping</button>${answer}`, ['a']],
    ['no more when what follows is not what it opens', `<button class=a aria-controls=x>When?</button>${answer}<button class=b aria-controls=y>When?</button><div id=y>The boat leaves at dawn and at noon.</div>`, ['b']],
    ['when it names what it opens, however little that says', '<button class=a aria-expanded=false aria-controls=x>Week 2</button><ul id=x><li>Steam 20:10</ul><button class=b aria-expanded=false aria-controls=y>Boats</button><ul id=y><li><a href=/s>Skiffs and others</a></ul>', ['a']],
    ['when it names a part of a course or a choice of a shop', '<button class=a aria-expanded=false aria-controls=x>Week 2: Planks</button><div id=x>Steam 20:10</div><button class=b aria-expanded=false aria-controls=y>Select size</button><ul id=y><li>Small<li>Large</ul>', ['a', 'b']],
    ['not when it names a menu, a form or a message that says little', ['menu', 'listbox', 'dialog', 'status', 'tooltip', 'alert'].map((role) => `<button class=a aria-expanded=false aria-controls=x>Boats</button><div id=x role=${role}>Skiffs, yawls</div>`).join('') + '<button class=b aria-expanded=false aria-controls=x>Boats</button><form id=x>Which boat?</form>', []],
    ['not when it is a word of a control that opens little', ['Share', 'Copy', 'More', 'Language', 'Sort by', 'Show more', 'Cart (0)', 'Log in', 'Sort by:'].map((word) => `<button class=a aria-expanded=false aria-controls=x>${word}</button><div id=x>Link to the page</div>`).join(''), []],
    ['when such a word opens a text', `<button class=a aria-expanded=false aria-controls=x>Show more</button><div id=x>The boat leaves at dawn and at noon.</div>`, ['a']],
    ['not when links follow, or little, or text of the same line', `<button class=a>Lost?</button><p><a href=/>All harbours of the coast</a></p><button class=b>Lost?</button><p>Ask.</p><button class=c>Lost?</button> words ${answer}`, []],
    ['as the tab of a panel', '<div role=tablist><span><button role=tab class=a>Go</button></span><button role=tab class=b>Rust</button></div><div role=tabpanel>Fast.</div><div role=tabpanel>Safe.</div><div role=tablist><button role=tab class=c>Go</button><button role=tab class=d>Rust</button></div><div role=tabpanel>Fast.</div><button role=tab class=e>Alone</button>', ['a', 'b']],
    ['as a tab whose open panel is there', '<div role=tablist><button role=tab class=a aria-controls=p>Go</button><button role=tab class=b aria-controls=q>Rust</button></div><div role=tabpanel id=q>Safe.</div>', ['a', 'b']],
    ['as the tab of a panel, by the class of its list', '<div class=nav-tabs><button class=a>Go</button><button class=b>Rust</button></div><div class=tab-contents><div>Fast.</div><div>Safe.</div></div><div class=nav-tabs><button class=c>Go</button><button class=d>Rust</button></div>', ['a', 'b']],
    ['as an operation of an API, or what it answers', '<button class=a aria-expanded=false><span>GET</span><div><a href="#b">/boats</a><div>List boats</div></div></button><button class=b><strong>404 </strong><div><p>No such boat.</p></div></button><button class=c>200 more boats</button><button class=d>Get a boat</button>', ['a', 'b']],
    ['not without a word, nor alone on a page', `<button class=c>?</button>${answer}<table><tr><td><button class=a><img alt=x></button></table><p><button class=b>Book</button></p>`, []],
  ])('is recognized: %s', (_, html, expected) => {
    expect(telling(html)).toEqual(expected)
  })
})
