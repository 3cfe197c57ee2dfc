/**
 * Loaded before the driver that Python's `playwright` package brings: what it connects to at the address below is the session's browser,
 * over descriptor 4. It asks for a WebSocket, of which there can be none behind the walls; so it is given one without a network.
 */
'use strict'
const { createHash } = require('node:crypto')
const net = require('node:net')
const { Duplex } = require('node:stream')
const { StringDecoder } = require('node:string_decoder')

const address = { host: '127.0.0.1', port: 1 }
const descriptor = 4

// Of RFC 6455.
const accepting = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const op = { more: 0, text: 1, close: 8, ping: 9, pong: 10 }

/** A frame as a server sends it. */
function framed(code, data) {
  const head = Buffer.alloc(data.length < 126 ? 2 : data.length < 65_536 ? 4 : 10)
  head[0] = 0x80 | code
  if (head.length === 2) head[1] = data.length
  else if (head.length === 4) {
    head[1] = 126
    head.writeUInt16BE(data.length, 2)
  } else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(data.length), 2)
  }
  return Buffer.concat([head, data])
}

/** The first frame of a client that is there as a whole; null when there is none. */
function frameIn(bytes) {
  if (bytes.length < 2) return null
  const short = bytes[1] & 0x7f
  const from = (short === 126 ? 4 : short === 127 ? 10 : 2) + 4
  if (bytes.length < from) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < from + length) return null
  const data = Buffer.from(bytes.subarray(from, from + length))
  for (let i = 0; i < length; i++) data[i] ^= bytes[from - 4 + (i & 3)]
  return { last: (bytes[0] & 0x80) !== 0, code: bytes[0] & 0x0f, data, rest: bytes.subarray(from + length) }
}

/** What the driver takes for its socket: a WebSocket server at the other end of which is the line. */
class SessionSocket extends Duplex {
  #taken = Buffer.alloc(0)
  #open = false
  #parts = []
  #line = new net.Socket({ fd: descriptor, readable: true, writable: true })

  constructor() {
    super()
    const decoder = new StringDecoder('utf8')
    let text = []
    this.#line.on('data', (bytes) => {
      let begin = 0
      for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, begin)) {
        this.push(framed(op.text, Buffer.from(text.join('') + decoder.write(bytes.subarray(begin, end)))))
        text = []
        begin = end + 1
      }
      if (begin < bytes.length) text.push(decoder.write(bytes.subarray(begin)))
    })
    this.#line.on('error', () => undefined)
    this.#line.on('close', () => {
      this.push(framed(op.close, Buffer.alloc(0)))
      this.push(null)
    })
    this.#line.pause()
    process.nextTick(() => this.emit('connect'))
  }

  #greet() {
    const end = this.#taken.indexOf('\r\n\r\n')
    if (end === -1) return
    const [, key = ''] = /\r\nsec-websocket-key: *(\S+)/i.exec(this.#taken.toString('latin1', 0, end)) ?? []
    this.#taken = this.#taken.subarray(end + 4)
    this.#open = true
    this.push(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${createHash('sha1').update(key + accepting).digest('base64')}\r\n\r\n`)
    this.#line.resume()
  }

  #take({ last, code, data }) {
    if (code === op.ping) return void this.push(framed(op.pong, data))
    if (code === op.close) return void this.#line.end()
    if (code !== op.text && code !== op.more) return
    this.#parts.push(data)
    if (!last) return
    this.#line.write(Buffer.concat([...this.#parts, Buffer.alloc(1)]))
    this.#parts = []
  }

  _write(bytes, _encoding, done) {
    this.#taken = this.#taken.length === 0 ? bytes : Buffer.concat([this.#taken, bytes])
    if (!this.#open) this.#greet()
    for (let frame = this.#open ? frameIn(this.#taken) : null; frame !== null; frame = frameIn(this.#taken)) {
      this.#taken = frame.rest
      this.#take(frame)
    }
    done()
  }

  // The line is always read: what is not taken is waited for on its other side.
  _read() {}

  _destroy(error, done) {
    this.#line.destroy()
    done(error)
  }
}

// Of sockets, where users of streams do not look whether there is one.
for (const name of ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref']) SessionSocket.prototype[name] = function () { return this }

const { connect } = net
function connected(...values) {
  const [{ host, port } = {}] = values
  return host === address.host && Number(port) === address.port ? new SessionSocket() : connect.apply(this, values)
}
net.connect = net.createConnection = connected
