import { type Answer, document, htmlType, type Pages, type Visit } from '../page.ts'

async function stream(answer: Answer, parts: Iterable<string>): Promise<void> {
  answer.head(200, { 'content-type': htmlType })
  for (const part of parts) if (!(await answer.write(part))) return
  answer.end()
}

function* paragraphs(visit: Visit): Generator<string> {
  const paragraph = `<p>${'The tide comes in and the tide goes out. '.repeat(24)}</p>\n`
  const block = paragraph.repeat(Math.ceil(2 ** 16 / paragraph.length))
  const bytes = visit.number('mb', 5) * 2 ** 20
  yield '<!doctype html><html><head><title>Large</title></head><body><main><h1>Large</h1>\n'
  for (let sent = 0; sent < bytes; sent += block.length) yield block
  yield '</main></body></html>\n'
}

/** Pages with too much of something. */
export const large: Pages = {
  /** `mb` megabytes of text. */
  '/large/text': (visit, answer) => stream(answer, paragraphs(visit)),
  /** Never ends; sends as fast as the client reads. */
  '/large/endless': (_visit, answer) =>
    stream(
      answer,
      (function* () {
        yield '<!doctype html><title>Endless</title><main><h1>Endless</h1>\n'
        for (;;) yield '<p>And so it goes on.</p>\n'.repeat(2000)
      })(),
    ),
  /** Nested elements, `depth` of them. */
  '/large/deep': (visit, answer) => {
    const depth = visit.number('depth', 20_000)
    answer.send(200, { 'content-type': htmlType }, document('Deep', `<main><h1>Deep</h1>${'<div>'.repeat(depth)}<p>Bottom</p>${'</div>'.repeat(depth)}</main>`))
  },
  '/large/deep-inline': (visit, answer) => {
    const depth = visit.number('depth', 20_000)
    answer.send(200, { 'content-type': htmlType }, document('Deep', `<main><h1>Deep</h1><p>${'<b><i>'.repeat(depth / 2)}Bottom</main>`))
  },
  '/large/deep-lists': (visit, answer) => {
    const depth = visit.number('depth', 5000)
    answer.send(200, { 'content-type': htmlType }, document('Deep', `<main><h1>Deep</h1>${'<ul><li>x'.repeat(depth)}</main>`))
  },
  /** Many small elements. */
  '/large/nodes': (visit, answer) => stream(answer, ['<!doctype html><title>Nodes</title><main><h1>Nodes</h1>', ...Array.from({ length: Math.ceil(visit.number('count', 100_000) / 1000) }, () => '<b>x</b>'.repeat(1000)), '</main>']),
  /** A table whose cells claim to be huge. */
  '/large/spans': (_visit, answer) => answer.send(200, { 'content-type': htmlType }, document('Spans', '<main><h1>Spans</h1><table><tr><td colspan="100000000" rowspan="100000000">wide</td><td>next</td></tr></table></main>')),
  /** One attribute of `mb` megabytes. */
  '/large/attribute': (visit, answer) => answer.send(200, { 'content-type': htmlType }, document('Attribute', `<main><h1>Attribute</h1><p title="${'x'.repeat(visit.number('mb', 2) * 2 ** 20)}">Text</p></main>`)),
  '/large/headers': (visit, answer) => answer.send(200, { 'content-type': htmlType, 'x-filler': 'x'.repeat(visit.number('kb', 12) * 1024) }, document('Headers', '<main><h1>Large headers</h1></main>')),
}
