import { expect, it } from 'vitest'
import { readDocument } from './read.ts'

async function mail(lines: readonly string[]): Promise<{ html: string; metadata?: unknown; warnings?: unknown; page?: string }> {
  const reply = await readDocument(Buffer.from(lines.join('\r\n'), 'latin1'))
  return 'converted' in reply ? { ...reply.converted } : { html: reply.problem }
}

const utf8 = (text: string): string => Buffer.from(text).toString('latin1')
const head = ['From: =?utf-8?q?=C3=84nne_Gro=C3=9Fmann?= <anne@example.com>', 'To: Bob <bob@example.com>, carol@example.com', 'Subject: =?iso-8859-1?Q?Pegel_f=FCr?=', ' =?utf-8?B?IE3DpHJ6?=', 'Date: Mon, 02 Mar 2026 10:11:12 +0100', 'MIME-Version: 1.0']
const shownHead = '<h1>Pegel für März</h1>\n<p><strong>From:</strong> Änne Großmann &lt;anne@example.com&gt;<br><strong>To:</strong> Bob &lt;bob@example.com&gt;, carol@example.com<br><strong>Date:</strong> Mon, 02 Mar 2026 10:11:12 +0100</p>\n'
const part = (type: string, content: readonly string[], ...more: readonly string[]): string[] => [`Content-Type: ${type}`, ...more, '', ...content]

it('a mail is its head, its HTML with the pictures in it, and the names of what is attached', async () => {
  const png = 'iVBORw0KGgo='
  expect(await mail([
    ...head, 'Content-Type: multipart/mixed; boundary=m', '',
    '--m', 'Content-Type: multipart/alternative; boundary=a', '',
    '--a', ...part('text/plain', ['The same as text']),
    '--a', 'Content-Type: multipart/related; boundary=r', '',
    '--r', ...part('text/html; charset=utf-8', ['<p>St=C3=A4nde: <img alt=3D"Kurve" src=3D"ci=', 'd:p%401"></p>'], 'Content-Transfer-Encoding: quoted-printable'),
    '--r', ...part('image/png', [png], 'Content-Transfer-Encoding: base64', 'Content-ID: <p@1>'),
    '--r', ...part('application/pdf; name="loose.pdf"', ['JVBERi0='], 'Content-Transfer-Encoding: base64', 'Content-ID: <q@1>'),
    '--r--', '--a--',
    '--m', ...part('application/pdf', ['JVBERi0xLjQ='], 'Content-Transfer-Encoding: base64', "Content-Disposition: attachment; filename*=utf-8''M%C3%A4rz.pdf"),
    '--m--', '',
  ])).toEqual({
    html: `${shownHead}<p>Stände: <img alt="Kurve" src="data:image/png;base64,${png}"></p>\n<p><strong>Attachments:</strong></p>\n<ul><li>loose.pdf (application/pdf, 5 bytes)</li><li>März.pdf (application/pdf, 8 bytes)</li></ul>`,
    metadata: { title: 'Pegel für März', author: 'Änne Großmann', publishedTime: '2026-03-02T09:11:12.000Z' },
    warnings: [],
  })
})

it('the date of a mail is in UTC if it has a zone, and without one otherwise', async () => {
  const sent = async (date: string): Promise<unknown> => (await mail(['From: a@example.com', `Date: ${date}`, '', 'Hi'])).metadata
  for (const date of ['02 Mar 2026 10:11:12 +0100', '02 Mar 2026 04:11:12 -0500', '02 Mar 2026 04:11:12 -0500 (EST)', '02 Mar 2026 09:11:12 GMT']) expect(await sent(`Mon, ${date}`)).toMatchObject({ publishedTime: '2026-03-02T09:11:12.000Z' })
  for (const date of ['Mon, 02 Mar 2026 10:11:12', 'Mon Mar  2 10:11:12 2026']) expect(await sent(date)).toMatchObject({ publishedTime: '2026-03-02T10:11:12' })
})

it('the text of a mail keeps its line ends, its quotations and the blanks of code', async () => {
  const { html } = await mail(['From: a@example.com', '', 'Hi,', 'all <b>of</b> you', '', '> The lock closes at 8.', '> > Really?', '', 'No.', '', '+\tint x;', '    y'])
  expect(html).toBe('<p><strong>From:</strong> a@example.com</p>\n<p>Hi,<br>all &lt;b&gt;of&lt;/b&gt; you</p>\n<blockquote><p>The lock closes at 8.</p>\n<blockquote><p>Really?</p></blockquote></blockquote>\n<p>No.</p>\n<pre>+\tint x;\n    y\n</pre>')
})

it('a mail in another charset is decoded, and one without text says so', async () => {
  expect((await mail(['From: a@example.com', ...part('text/plain; charset=shift_jis', ['k/qWe4zq'], 'Content-Transfer-Encoding: base64')])).html).toContain('<p>日本語</p>')
  expect((await mail(['From: a@example.com', ...part('application/pkcs7-mime; name=smime.p7m', ['AAAA'], 'Content-Transfer-Encoding: base64')])).warnings).toEqual(['The mail has no text of its own that can be read.'])
})

it('a page that a browser saved is that page, without its frames', async () => {
  const page = 'https://pegel.example.org/heute'
  const saved = ['From: <Saved by Blink>', `Snapshot-Content-Location: ${page}`, 'Subject: Pegel', 'MIME-Version: 1.0', 'Content-Type: multipart/related;', '\ttype="text/html";', '\tboundary="----b----"', '']
  const parts = ['------b----', ...part('text/html', [utf8('<html lang="de"><title>Köln</title><p>Der Rhein stieg.</p></html>')], `Content-Location: ${page}`), '------b----', ...part('text/html', ['<p>Advert'], 'Content-Location: https://ads.example.com/'), '------b------']
  expect(await mail([...saved, '', ...parts])).toEqual({ html: '<html lang="de"><title>Köln</title><p>Der Rhein stieg.</p></html>\n', page, metadata: {}, warnings: [] })
})

it('a mail that nests or repeats without end is refused or read in time', async () => {
  const nested = Array.from({ length: 2_000 }, (_, i) => [`Content-Type: multipart/mixed; boundary=b${i}`, '', `--b${i}`]).flat()
  expect((await mail(['From: a@example.com', ...nested])).html).toBe('broken')
  const { html } = await mail(['From: a@example.com', ...part('text/plain', ['> '.repeat(200) + 'deep'])])
  expect(html.match(/<blockquote>/g)).toHaveLength(20)
})
