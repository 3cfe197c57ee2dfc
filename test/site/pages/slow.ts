import { document, htmlType, type Pages } from '../page.ts'

/** Pages that take their time: `ms` says how much. */
export const slow: Pages = {
  '/slow/headers': async (visit, answer) => {
    await visit.later(visit.number('ms', 2000))
    answer.send(200, { 'content-type': htmlType }, document('Slow', '<main><h1>Slow start</h1></main>'))
  },
  /** Headers at once, then the body in `parts` pieces, `ms` apart. */
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
  /** Answers never; the connection stays open. */
  '/slow/never': (visit) => visit.later(2 ** 30),
  /** Headers, a piece of the body, then nothing more. */
  '/slow/stuck': async (visit, answer) => {
    answer.head(200, { 'content-type': htmlType })
    await answer.write('<!doctype html><title>Stuck</title><main><h1>Stuck</h1>')
    await visit.later(2 ** 30)
  },
  /** A redirect that is slow itself. */
  '/slow/redirect': async (visit, answer) => {
    await visit.later(visit.number('ms', 500))
    answer.send(302, { location: '/redirect/landing' })
  },
}
