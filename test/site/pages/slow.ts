import { document, htmlType, type Pages } from '../page.ts'

/** Releases the requests that wait at `/slow/held`. */
const held = new Set<() => void>()

/** Slow pages: `ms` says how slow. */
export const slow: Pages = {
  '/slow/headers': async (visit, answer) => {
    await visit.later(visit.number('ms', 2000))
    answer.send(200, { 'content-type': htmlType }, document('Slow', '<main><h1>Slow start</h1></main>'))
  },
  /** Like the previous one, but also ends when `/slow/let-go` is requested. */
  '/slow/held': async (visit, answer) => {
    await Promise.race([visit.later(visit.number('ms', 2000)), new Promise<void>((resolve) => held.add(resolve))])
    answer.send(200, { 'content-type': htmlType }, document('Held', '<main><h1>Slow start</h1></main>'))
  },
  '/slow/let-go': (_, answer) => {
    for (const end of held) end()
    held.clear()
    answer.send(204, {})
  },
  /** Sends headers at once, then the body in `parts` pieces, `ms` apart. */
  '/slow/body': async (visit, answer) => {
    answer.head(200, { 'content-type': htmlType })
    const parts = visit.number('parts', 10)
    await answer.write('<!doctype html><title>Drip</title><main><h1>Drip</h1>')
    for (let i = 0; i < parts; i++) {
      await visit.later(visit.number('ms', 200))
      if (!(await answer.write(`<p>Drop ${i}</p>`))) return
    }
    answer.end()
  },
  /** Sends a long page at once except for its end, which follows after `ms`, with a script that fetches more. */
  '/slow/halves': async (visit, answer) => {
    answer.head(200, { 'content-type': htmlType })
    await answer.write(`<!doctype html><title>Halves</title><main><h1>First half MARK</h1>${'<p>The ferry leaves the inner harbour at seven and calls at both islands before noon.</p>'.repeat(8)}`)
    await visit.later(visit.number('ms', 2000))
    await answer.write(`<h2>Second half MARK</h2><p id="late"></p></main><script>fetch('/scripts/data.json?after=400').then((r) => r.json()).then((d) => { document.getElementById('late').textContent = d.text })</script>`)
    answer.end()
  },
  /** Never answers; the connection stays open. */
  '/slow/never': (visit) => visit.later(2 ** 30),
  /** Sends headers and a piece of the body, then nothing more. */
  '/slow/stuck': async (visit, answer) => {
    answer.head(200, { 'content-type': htmlType })
    await answer.write('<!doctype html><title>Stuck</title><main><h1>Stuck</h1>')
    await visit.later(2 ** 30)
  },
  /** A slow redirect. */
  '/slow/redirect': async (visit, answer) => {
    await visit.later(visit.number('ms', 500))
    answer.send(302, { location: '/redirect/landing' })
  },
}
