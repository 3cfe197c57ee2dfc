import { connect, type Socket } from 'node:net'

/** An answer as read from a socket, unparsed. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Opens a connection to the host and port of a base URL. */
export function openSocket(base: string): Promise<Socket> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Reads one answer with a Content-Length, or up to the end of the connection. */
export function readAnswer(socket: Socket): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let seen = ''
    const finish = (): void => {
      const end = seen.indexOf('\r\n\r\n')
      const [first = '', ...lines] = seen.slice(0, end).split('\r\n')
      socket.destroy()
      resolve({
        status: Number(first.split(' ')[1]),
        headers: new Headers(lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])),
        text: seen.slice(end + 4),
      })
    }
    socket.on('data', (chunk) => {
      seen += chunk.toString()
      const end = seen.indexOf('\r\n\r\n')
      const length = /content-length: *(\d+)/i.exec(seen)?.[1]
      if (end >= 0 && length !== undefined && Buffer.byteLength(seen) >= end + 4 + Number(length)) finish()
    })
    socket.once('end', () => (seen.includes('\r\n\r\n') ? finish() : reject(new Error(`connection ended after: ${seen.slice(0, 200)}`))))
    socket.once('error', reject)
  })
}

/** Sends the text unchanged and reads one answer. */
export async function sendRaw(base: string, text: string): Promise<RawAnswer> {
  const socket = await openSocket(base)
  const answer = readAnswer(socket)
  socket.write(text)
  return answer
}
