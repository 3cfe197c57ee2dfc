import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { routes } from '../../spec/routes.ts'
import { sentWith } from './form.ts'

const silent = { body: undefined, headers: {} } as FastifyRequest // what is read of it

it('takes no body for an empty one where nothing has to be said', async () => {
  expect(await sentWith(silent, routes.browserCreate)).toMatchObject({ body: {}, warnings: [] })
  await expect(sentWith(silent, routes.scrape)).rejects.toThrow('The body is empty; send JSON.')
})

describe('an uploaded form', () => {
  const mb = 1024 * 1024
  const file = (size = 3, name = 'page.html'): [string, File] => ['file', new File([new Uint8Array(size).fill(120)], name, { type: 'text/html' })]

  async function request(body: FormData | string, headers: Record<string, string> = {}): Promise<FastifyRequest> {
    const sent = new Response(body, { headers })
    return { body: Buffer.from(await sent.arrayBuffer()), headers: { 'content-type': sent.headers.get('content-type') ?? '' } } as FastifyRequest // what is read of it
  }

  async function formWith(...fields: readonly [string, File | string][]): Promise<FastifyRequest> {
    const form = new FormData()
    for (const [name, value] of fields) form.append(name, value)
    return request(form)
  }

  const told = async (sent: FastifyRequest | Promise<FastifyRequest>): Promise<unknown> => sentWith(await sent, routes.parse).then(({ file: taken }) => taken?.bytes.length, (error: unknown) => (error instanceof Error ? error.message : error))

  it('has a file of up to 50 MB, and nineteen parts at most', async () => {
    expect(await told(formWith(file(50 * mb + 1)))).toBe('Bad Request: the file is larger than 50 MB')
    const parts = (count: number): [string, string][] => Array.from({ length: count }, (_, i) => [`f${i}`, 'x'])
    // The end of a form is counted as one more.
    expect(await told(formWith(file(), ...parts(18)))).toMatch('unknown field "f0"')
    expect(await told(formWith(file(), ...parts(19)))).toBe('Bad Request: the form has too many parts')
  })

  it('has heads of parts of 16 KB at most', async () => {
    const withHead = (length: number): Promise<FastifyRequest> => {
      const head = '\r\nContent-Disposition: form-data; name="file"; filename="a.html"\r\nX-Other: '
      return request(`--bound${head}${'y'.repeat(length - head.length - 4)}\r\n\r\nabc\r\n--bound--\r\n`, { 'content-type': 'multipart/form-data; boundary=bound' })
    }
    expect([await told(withHead(16 * 1024)), await told(withHead(16 * 1024 + 1))]).toEqual([3, 'Bad Request: the head of a part of the form is too long'])
    const cut = request('--bound\r\nContent-Disposition: form-data; name="file"', { 'content-type': 'multipart/form-data; boundary=bound' })
    expect(await told(cut)).toBe('Bad Request: the body is no multipart form')
  })

  it('has a name of up to 255 characters, without folders, that does not end within a character', async () => {
    const nameOf = async (name: string): Promise<string | undefined> => (await sentWith(await formWith(file(3, name)), routes.parse)).file?.name
    expect([await nameOf('C:\\docs/page.html'), await nameOf(`${'a'.repeat(254)}\u{1f600}.html`), (await nameOf('b'.repeat(300)))?.length]).toEqual(['page.html', 'a'.repeat(254), 255])
  })

  it('has one file that is not empty, and options as JSON', async () => {
    expect([
      await told(formWith(file(), ['options', '{}'])),
      await told(formWith(file(0))),
      await told(formWith(file(), file())),
      await told(formWith(['options', '{}'])),
      await told(formWith(['file', 'text'])),
      await told(formWith(file(), ['options', new File(['{}'], 'o.json')])),
    ]).toEqual([
      3,
      'Bad Request: the file is empty',
      'Bad Request: the form has a field more than once',
      'Bad Request: the form has no file (field "file", with a file name)',
      'Bad Request: the form has no file (field "file", with a file name)',
      'Bad Request: options must be a field with JSON, not a file',
    ])
  })
})
