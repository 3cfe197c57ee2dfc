import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import { expect, it } from 'vitest'
import { growth } from '../../../test/cpu.ts'
import { parse } from './parse.ts'
import { PageTokenizer } from './tokenizer.ts'

const callbacks = ['onattribdata', 'onattribend', 'onattribentity', 'onattribname', 'oncdata', 'onclosetag', 'oncomment', 'ondeclaration', 'onend', 'onopentagend', 'onopentagname', 'onprocessinginstruction', 'onselfclosingtag', 'ontext', 'ontextentity'] as const

function eventsOf(text: string, make: (callbacks: TokenizerCallbacks) => Tokenizer): readonly unknown[] {
  const events: unknown[] = []
  const told = Object.fromEntries(callbacks.map((name) => [name, (...of: unknown[]) => void events.push([name, ...of])]))
  const tokenizer = make({ ...told, isInForeignContext: () => false } as unknown as TokenizerCallbacks) // each of them is in the list above
  tokenizer.write(text)
  tokenizer.end()
  return events
}

const pieces = ['<', '>', '&', '&amp', ';', '"', "'", '=', ' ', '/', '!', '--', '-->', '?', 'a', 'text ', '<p ', '<p', 'b="', "c='", ' d="e"', ' f="g&amp;"', ' H=i', '<svg/>', '</p>', '<br/>', '<script>', '</script>', '<title>', '</title>', '<!--', '<![CDATA[', ']]>', '&lt;', '&#38;', '&#x', 'ä中', '\n']

it('the tokenizer splits pages like its parent class, which examines every character', () => {
  let state = 1
  const next = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: 1 + next(24) }, () => pieces[next(pieces.length)]).join('')
    expect([text, eventsOf(text, (of) => new PageTokenizer(of))]).toEqual([text, eventsOf(text, (of) => new Tokenizer({ recognizeSelfClosing: true }, of))])
  }
})

it.each([['&', '<p a="'], ['&', ''], ["'", '<p a="'], ['"', "<p a='"], ['<p a="&">', ''], ['& <', '']])('the tokenizer takes linear time for a page of %j after %j', (piece, opening) => {
  expect(growth((times) => opening + piece.repeat(times), parse, 2_000)).toBeLessThan(1.5)
})
