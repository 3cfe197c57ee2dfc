import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { parse } from '../html/parse.ts'
import { isElement, textOf } from '../html/tree.ts'
import { unseen } from './unseen.ts'

const hidden = (html: string): readonly string[] => [...unseen(parse(html).document)].filter(isElement).map((element) => textOf(element, 100, 100))
const body = '<main class="k"><p class="x">trap</p><p>text</p></main>'

describe('a style sheet hides text', () => {
  it.each([
    '.x{display:none}', 'p.x{display:none}', '@import "a.css"; .x{display:none}', '@media screen{.x{display:none}}', '@media all and (min-width: 1px) {.x{display:none}}', '@layer base{@supports (display:grid){.x{display:none}}}',
    'main .x{display:none}', 'main.k > p.x{display:none}', '.k{color:red; .x{display:none}}', '.k{& > p.x{display:none}}', '.x{font-size:0px}', '.x{opacity:0}', '.x{color:#fff;background:white}', '.x{color:transparent}',
    '.x{height:0;overflow:hidden}', '.x{width:10px} .x{display:none}', '.x{opacity:1} .x{display:none}', '.x{position:absolute;left:-9999px}',
  ])('as %s does', (css) => {
    expect(hidden(`<style>${css}</style>${body}`)).toEqual(['trap'])
  })

  it('below an element of a name', () => {
    expect(hidden(`<style>main .y p{display:none}</style><main><div class="y"><p>trap</p></div><p>text</p></main>`)).toEqual(['trap'])
  })

  it.each([
    '@media print{.x{display:none}}', '@media (max-width:600px){.x{display:none}}', '@media (min-width:900px){.x{display:none}}', '@media not screen{.x{display:none}}', '@supports not (display:grid){.x{display:none}}', '.x{display:none} .open .x{display:block}', '.y .x{display:none}', '.k > .k > .x{display:none}',
    '.x{height:0;overflow:hidden} .x.open{height:auto}', '.x{height:0}', '.x{background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent}', '.x{color:#fff;background:#000}', '.k{color:red; .y{display:none}}', '.x:hover{display:none}', '.no-js .x{display:none}', '.x{font-size:0} .x > *{font-size:16px}', 'p{display:none}',
  ])('but not for every visitor as %s does', (css) => {
    expect(hidden(`<style>${css}</style>${body}`)).toEqual([])
  })

  it('but not the main part that scripts will show', () => {
    expect(hidden('<style>#app .page{display:none}</style><div id="app"><div class="page"><h1>Rivers</h1>text</div></div>')).toEqual([])
  })

  it('in time, however many rules and elements there are', () => {
    const deep = `${'<div class="a">'.repeat(200)}${'<p class="a b">x</p>'.repeat(5_000)}`
    const css = Array.from({ length: 2_000 }, (_, at) => `.z${at} .a .a .a .a .b{display:none}`).join('')
    expect(cpuMs(() => void hidden(`<style>${css}</style>${deep}`))).toBeLessThan(4_000)
    expect(cpuMs(() => void hidden(`<style>${'a{b{c{'.repeat(40_000)}</style>${deep}`))).toBeLessThan(4_000)
    expect(cpuMs(() => void hidden(`<style>${`${'.a,'.repeat(600)}.b{${'.a,'.repeat(600)}.b{`.repeat(60)}</style>${deep}`))).toBeLessThan(4_000)
  })
})
