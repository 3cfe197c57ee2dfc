import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { saysBusy } from './busy.ts'
import { parse } from '../html/parse.ts'
import { signsOf } from './signs.ts'

const busy = (body: string, { title = 'Shop', status = 200 } = {}): boolean => saysBusy(signsOf(parse(`<html><head><title>${title}</title></head><body>${body}</body></html>`).document), { status })

describe('a page that says that the site is busy', () => {
  it.each([
    '<h1>The server is busy</h1><p>Please try again in a few moments.</p>',
    '<p>We are experiencing high traffic.</p>',
    '<h1>Service temporarily unavailable</h1>',
    '<h1>Error establishing a database connection</h1>',
    '<p>Our site is currently overloaded. Come back later!</p>',
    '<p>Der Server ist derzeit überlastet. Bitte versuchen Sie es später noch einmal.</p>',
    '<p>Le site est momentanément surchargé, veuillez réessayer plus tard.</p>',
    '<p>El servidor está ocupado. Inténtelo de nuevo más tarde.</p>',
    '<p>Сервер временно недоступен. Попробуйте зайти позже.</p>',
    '<p>アクセスが集中しております。しばらくしてからお試しください。</p>',
    '<p>服务器繁忙，请稍后再试</p>',
  ])('is recognized: %s', (body) => expect(busy(body)).toBe(true))

  const words = '<p>The harbour office keeps the tide tables of the last hundred years here, and those who come by read them at the pier.</p>'
  it.each([
    ['a page that says more', `<p>Please try again later.</p>${words.repeat(5)}`, {}],
    ['a page with its navigation', `${'<a href="/a">Tides</a>'.repeat(6)}<p>Please try again later.</p>`, {}],
    ['a form', '<p>Try again later</p><form><input name="q"><button>Go</button></form>', {}],
    ['an error of its status', '<h1>The server is busy</h1>', { status: 503 }],
    ['a short page', '<h1>Busy bees</h1><p>They fly from flower to flower.</p>', {}],
    ['a page yet to come', '<h1>Coming soon</h1><p>Check back later.</p>', {}],
    ['an opening time', '<p>We are closed on Mondays and back at nine.</p>', {}],
  ])('is not seen in %s', (_what, body, more) => expect(busy(body, more)).toBe(false))

  it('is recognized in a short time', () => {
    const text = `<p>${'site a b '.repeat(40)}${'server '.repeat(40)}</p>`
    expect(cpuMs(() => Array.from({ length: 200 }, () => busy(text)))).toBeLessThan(2_000)
  })
})
