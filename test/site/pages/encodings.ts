import { brotliCompressSync, constants, crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { document, htmlType, type Page, type Pages } from '../page.ts'

const text = document('Compressed', `<main><h1>Compressed</h1>${'<p>The same line again and again, so that there is something to gain.</p>'.repeat(50)}</main>`)

function coded(coding: string, bytes: Uint8Array): Page {
  return (_visit, answer) => answer.send(200, { 'content-type': htmlType, 'content-encoding': coding }, bytes)
}

const megabyte = Buffer.alloc(2 ** 20, ' ')

/** A page of `mb` megabytes in a few kilobytes: a single gzip member of equal blocks, so that it is cheap to make. */
function bomb(mb: number): Buffer {
  const start = Buffer.from('<!doctype html><title>Bomb</title><main><h1>Bomb</h1>')
  const flush = { finishFlush: constants.Z_FULL_FLUSH }
  const block = deflateRawSync(megabyte, flush)
  const sum = Array.from({ length: mb }).reduce<number>((all) => crc32(megabyte, all), crc32(start))
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(sum, 0)
  trailer.writeUInt32LE((start.length + mb * megabyte.length) % 2 ** 32, 4)
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
  const end = Buffer.from([0x03, 0x00])
  return Buffer.concat([header, deflateRawSync(start, flush), ...Array.from({ length: mb }, () => block), end, trailer])
}

/** Valid and invalid content codings. */
export const encodings: Pages = {
  '/encoding/gzip': coded('gzip', gzipSync(text)),
  '/encoding/x-gzip': coded('x-gzip', gzipSync(text)),
  '/encoding/br': coded('br', brotliCompressSync(text)),
  '/encoding/deflate': coded('deflate', deflateSync(text)),
  '/encoding/deflate-raw': coded('deflate', deflateRawSync(text)),
  '/encoding/identity': coded('identity', Buffer.from(text)),
  '/encoding/twice': coded('gzip, gzip', gzipSync(gzipSync(text))),
  '/encoding/unknown': coded('x-tide', Buffer.from(text)),
  /** Declared as gzip, but is not. */
  '/encoding/false-gzip': coded('gzip', Buffer.from(text)),
  '/encoding/cut-gzip': coded('gzip', gzipSync(text).subarray(0, 60)),
  /** Depends on the client's Accept-Encoding. */
  '/encoding/negotiated': (visit, answer) => {
    const takesGzip = /\bgzip\b/.test(String(visit.headers['accept-encoding'] ?? ''))
    answer.send(200, { 'content-type': htmlType, vary: 'accept-encoding', ...(takesGzip ? { 'content-encoding': 'gzip' } : {}) }, takesGzip ? gzipSync(text) : text)
  },
  '/encoding/bomb': (visit, answer) => answer.send(200, { 'content-type': htmlType, 'content-encoding': 'gzip' }, bomb(visit.number('mb', 100))),
}
