import { expect, it } from 'vitest'
import { growth } from '../../../test/cpu.ts'
import { toHtml } from './output.ts'
import { parse } from './parse.ts'

const shown = (html: string): string => toHtml(parse(`<body>${html}`).document.children, new Set(), 'https://site.example/').replace(/<\/?(?:html|body)>/g, '')
const root = (inner: string, mode = 'open'): string => `<template shadowrootmode="${mode}">${inner}</template>`

it.each([
  ['in the place of what the host holds', `<my-card>${root('<h2>Inside</h2>')}</my-card>`, '<my-card><h2>Inside</h2></my-card>'],
  ['closed ones too, and of plain elements', `<div>${root('<p>Inside</p>', 'closed')}</div>`, '<div><p>Inside</p></div>'],
  ['with what the host holds in its slot', `<my-card>Light <b>text</b>${root('<p>Before</p><slot></slot><p>After</p>')}</my-card>`, '<my-card><p>Before</p>Light <b>text</b><p>After</p></my-card>'],
  ['by the names of slots', `<my-card>${root('<h2><slot name="title">none</slot></h2><slot></slot>')}<p>Body</p><span slot="title">Title</span></my-card>`, '<my-card><h2><span slot="title">Title</span></h2><p>Body</p></my-card>'],
  ['with what a slot holds where nothing is given to it', `<my-card>${root('<slot name="a"><i>Instead</i></slot>')}</my-card>`, '<my-card><i>Instead</i></my-card>'],
  ['without what has no slot', `<my-card>${root('<p>Shown</p>')}<p>Not shown</p></my-card>`, '<my-card><p>Shown</p></my-card>'],
  ['in others', `<x-a>${root(`<x-b>${root('<i><slot></slot></i>')}<b>in a</b></x-b>`)}</x-a>`, '<x-a><x-b><i><b>in a</b></i></x-b></x-a>'],
  ['in what others are given', `<x-a>${root('<section><slot></slot></section>')}<x-b>${root('<i>b: <slot></slot></i>')}light</x-b></x-a>`, '<x-a><section><x-b><i>b: light</i></x-b></section></x-a>'],
  ['that hand slots on', `<x-a>${root(`<x-b>${root('<i><slot name="to"></slot></i>')}<slot name="from" slot="to"></slot></x-b>`)}<b slot="from">handed</b></x-a>`, '<x-a><x-b><i><b slot="from">handed</b></i></x-b></x-a>'],
  ['of the first template of a host', `<x-a>${root('one')}${root('two')}<b slot="none">b</b></x-a>`, '<x-a>one</x-a>'],
])('a page shows shadow trees %s', (_, html, expected) => {
  expect(shown(html)).toBe(expected)
})

it.each([
  ['of a template that is none', '<x-a><template><p>Template</p></template><p>Shown</p></x-a>'],
  ['in such a template', `<x-a><template><x-b>${root('x')}</x-b></template><p>Shown</p></x-a>`],
  ['of an element that has no shadow', `<ul>${root('x')}</ul><x-a><p>Shown</p></x-a>`],
  ['of a mode that there is not', `<x-a>${root('x', 'shut')}<p>Shown</p></x-a>`],
])('a page shows nothing %s', (_, html) => {
  expect(shown(html)).toBe(html.startsWith('<ul>') ? '<ul></ul><x-a><p>Shown</p></x-a>' : '<x-a><p>Shown</p></x-a>')
})

it('the siblings of nodes stay correct', () => {
  const { document } = parse(`<body><my-card>${root('<p>Before</p><slot></slot>')}a<b>b</b></my-card>`)
  const nodes = [...document.children]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!('children' in node)) continue
    node.children.forEach((child, i) => expect([child.parent, child.prev, child.next]).toEqual([node, node.children[i - 1] ?? null, node.children[i + 1] ?? null]))
    nodes.push(...node.children)
  }
})

it('nested slots keep what would be too deep', () => {
  const deep = '<i>'.repeat(40)
  const nested = `<x-a>${root(`${deep}<slot></slot>`)}`.repeat(10) + 'the end'
  const { document, depth } = parse(nested)
  expect(depth).toBeLessThanOrEqual(512 + 128)
  expect(toHtml(document.children, new Set(), 'https://site.example/')).toContain('the end')
})

it.each<[string, (n: number) => string]>([
  ['many hosts', (n) => `<x-a>${root('<b><slot name=x></slot><slot></slot></b>')}light<i slot=x>x</i></x-a>`.repeat(n)],
  ['many slots of a host', (n) => `<x-a>${root('<slot></slot>'.repeat(3 * n))}${'<b>x</b>'.repeat(3 * n)}</x-a>`],
  ['hosts in hosts', (n) => `<x-a>${root('')}`.repeat(10 * n)],
  ['templates in templates', (n) => '<template shadowrootmode '.repeat(20 * n)],
])('%s take linear time', (_, html) => {
  expect(growth(html, parse, 250)).toBeLessThan(1.5)
})
