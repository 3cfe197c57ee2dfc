import { htmlType, type Pages } from '../page.ts'

/** Misbehaving servers (HTTP/1.1 only, except `cut`). */
export const faults: Pages = {
  /** Sends less than its Content-Length. */
  '/fault/truncated': (_visit, answer) => answer.raw('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n<!doctype html><title>Cut short</title><main><h1>Cut short</h1>'),
  /** Ends inside a chunk. */
  '/fault/truncated-chunk': (_visit, answer) => answer.raw('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n1000\r\n<!doctype html><title>Cut short</title>'),
  /** Resets the connection after the first part of the body. */
  '/fault/reset-in-body': async (visit, answer) => {
    answer.head(200, { 'content-type': htmlType })
    await answer.write('<!doctype html><title>Reset</title><main><h1>Reset</h1>')
    // The part must arrive before the reset overtakes it.
    await visit.later(50)
    answer.cut()
  },
  /** Closes the connection without an answer. */
  '/fault/closed': (_visit, answer) => answer.cut(),
  '/fault/not-http': (_visit, answer) => answer.raw('220 mail.example ESMTP ready\r\n'),
  '/fault/bad-header': (_visit, answer) => answer.raw('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nBad Header Name: x\r\nContent-Length: 5\r\n\r\nhello'),
  '/fault/two-lengths': (_visit, answer) => answer.raw('HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 50\r\n\r\nhello'),
  '/fault/many-informational': (_visit, answer) => answer.raw(`${'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'.repeat(100)}HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 12\r\nConnection: close\r\n\r\n<h1>Hi!</h1>`),
  /** Without length or chunks: the page ends with the connection. */
  '/fault/until-close': (_visit, answer) => answer.raw('HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html><title>Until close</title><main><h1>Until close</h1></main>'),
}
