/**
 * The interpreter of `node` code: runs behind the walls, talks to the service over descriptor 3 and to the browser over descriptor 4.
 * Nothing here keeps anything out; whoever takes this process over has what it was given, and no more.
 */
import { readFileSync } from 'node:fs'
import inspector from 'node:inspector'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { basename } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { inspect, stripVTControlCharacters } from 'node:util'
import { chromium } from 'playwright-core'

const longest = 1024 * 1024

/** Texts ended by zero bytes, both ways. */
function line({ fd, lead }, onText, onClose) {
  const socket = new Socket({ fd, readable: true, writable: true })
  const decoder = new StringDecoder('utf8')
  let parts = []
  socket.on('data', (bytes) => {
    let begin = 0
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, begin)) {
      const text = parts.join('') + decoder.write(bytes.subarray(begin, end))
      parts = []
      begin = end + 1
      onText(text)
    }
    if (begin < bytes.length) parts.push(decoder.write(bytes.subarray(begin)))
  })
  socket.on('error', () => undefined)
  socket.on('close', onClose)
  return { send: (value) => socket.write(`${lead}${JSON.stringify(value)}\0`), close: () => socket.destroy() }
}

let left = false
const transport = {
  send: (message) => browserLine.send(message),
  close: () => browserLine.close(),
}
const browserLine = line(
  { fd: 4, lead: '' },
  // One per turn, as the driver expects of a socket.
  (text) => setImmediate(() => transport.onmessage?.(JSON.parse(text))),
  () => {
    left = true
    transport.onclose?.()
  },
)

// Whoever starts this may not yet know for which browser.
let hear
const begun = new Promise((resolve) => void (hear = resolve))
// Whatever the code has put there before an answer ends at its lead.
const control = line({ fd: 3, lead: '\0' }, (text) => hear(text), () => process.exit(0))
const session = new inspector.Session()
session.connect()
const ask = (method, params) => new Promise((resolve, reject) => session.post(method, params, (error, answer) => (error ? reject(new Error(error.message)) : resolve(answer))))
const { page: begin } = JSON.parse(await begun)

const browser = await chromium.connectOverCDP(transport, { timeout: 15_000 })
const context = browser.contexts()[0] ?? (await browser.newContext())

/** The page of that id, or any: the order in which the browser lists its pages says nothing. */
async function pageOf(id) {
  const [first, ...others] = context.pages()
  for (const page of others) {
    const line = await context.newCDPSession(page)
    const { targetInfo } = await line.send('Target.getTargetInfo')
    await line.detach()
    if (targetInfo.targetId === id) return page
  }
  return first ?? context.newPage()
}

const firstPage = await pageOf(begin)
Object.assign(globalThis, { browser, context, page: firstPage, require: createRequire('/tmp/code.js') })

// The browser is somewhere else and has none of the files that are here: pages are given what is in them.
const frames = Object.getPrototypeOf(firstPage.mainFrame())
const { setInputFiles } = frames
const payload = (file) => (typeof file === 'string' ? { name: basename(file), buffer: readFileSync(file) } : file)
frames.setInputFiles = function (selector, files, options) {
  return setInputFiles.call(this, selector, Array.isArray(files) ? files.map(payload) : payload(files), options)
}

/** The page stays one that is open, unless the code has put something else there. */
async function refreshPage() {
  const { page } = globalThis
  if (typeof page?.isClosed === 'function' && page.isClosed()) globalThis.page = context.pages().at(-1) ?? (await context.newPage())
}

/** Whether JSON writes the value as something else: an error as {}, NaN as null. */
const isLostInJson = (value) => (typeof value === 'number' ? !Number.isFinite(value) : value instanceof Map || value instanceof Set || value instanceof RegExp)

const Owner = Object.getPrototypeOf(firstPage.constructor)
const Locator = firstPage.locator('html').constructor

/** What an object of the driver stands for, as a text; null for any other value. As JSON, it would be a number of the driver's own. */
function named(value) {
  if (value instanceof Locator) return `Locator ${value}`
  if (!(value instanceof Owner)) return null
  const told = ['status', 'method', 'url'].filter((name) => typeof value[name] === 'function').map((name) => value[name]())
  return [value.constructor.name.replace('_', ''), ...told].join(' ')
}

/** For JSON: the driver's objects by what they stand for, which are seen before they are asked for their own JSON. */
function withNames(key, value) {
  return named(this[key]) ?? value
}

function textOf(value) {
  if (value === undefined) return null
  if (typeof value === 'string') return value
  if (named(value) !== null) return named(value)
  if (value instanceof Error) return described(value).trimEnd()
  if (isLostInJson(value)) return inspect(value)
  try {
    return JSON.stringify(value, withNames) ?? inspect(value)
  } catch {
    return inspect(value)
  }
}

const ownFrame = /^\s+at (.*(node:|inside\/node\S*\.mjs|\/trawl\/|\/playwright-core\/)|new Promise \(<anonymous>\)$)/

/** What went wrong, without the frames of this file. */
function described(error) {
  const text = error instanceof Error ? (error.stack ?? String(error)) : `Uncaught ${inspect(error)}`
  return stripVTControlCharacters(text).split('\n').filter((part) => !ownFrame.test(part)).join('\n')
}

const headline = (text) => text.split(/\n\s+at /)[0].slice(0, 10_000)

const holder = new Map()
globalThis[Symbol.for('trawl.take')] = (name, value) => void holder.set(name, value)

/** The value that an answer of the inspector stands for. */
async function valueOf(remote) {
  if (remote.objectId === undefined) {
    if (remote.type === 'bigint') return BigInt(remote.unserializableValue.slice(0, -1))
    return remote.unserializableValue === undefined ? remote.value : Number(remote.unserializableValue)
  }
  await ask('Runtime.callFunctionOn', { objectId: remote.objectId, functionDeclaration: "function (value) { globalThis[Symbol.for('trawl.take')]('value', value) }", arguments: [{ objectId: remote.objectId }] })
  const value = holder.get('value')
  holder.clear()
  return value
}

let stray = null
function onStray(error) {
  const text = described(error)
  stray ??= headline(text)
  process.stderr.write(`${text}\n`)
}
process.on('uncaughtException', onStray)
process.on('unhandledRejection', onStray)

const importMissing = 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING'

const evaluated = (expression) => ask('Runtime.evaluate', { expression, replMode: true, awaitPromise: true, objectGroup: 'run' })

/** Code that is written as the body of a function, and of which nothing has run. */
const isStrayReturn = ({ exceptionDetails }) => exceptionDetails?.exception?.description?.startsWith('SyntaxError: Illegal return statement') === true

async function evaluate(code) {
  const first = await evaluated(code)
  const answer = isStrayReturn(first) ? await evaluated(`(async () => {${code}\n})()`) : first
  if (answer.exceptionDetails !== undefined) {
    const thrown = await valueOf(answer.exceptionDetails.exception ?? { type: 'undefined' })
    throw thrown?.code === importMissing ? new Error('import() is not available here; use require().') : thrown
  }
  // A promise that nobody awaited: its value is what was meant.
  return valueOf(answer.result)
}

async function run({ code, timeoutMs }) {
  stray = null
  try {
    await refreshPage()
    // What waits for longer than the run may last would end the interpreter instead of telling what it waited for.
    context.setDefaultTimeout(Math.min(30_000, Math.max(500, timeoutMs - 1_000)))
    const value = await evaluate(code)
    const text = textOf(value)
    // Rejections that nobody took are told after this turn.
    await new Promise((resolve) => setImmediate(resolve))
    return { result: text === null ? null : text.slice(0, longest), cut: text !== null && text.length > longest, error: stray }
  } catch (error) {
    const text = described(error)
    process.stderr.write(`${text}\n`)
    return { result: null, cut: false, error: headline(text) }
  } finally {
    void ask('Runtime.releaseObjectGroup', { objectGroup: 'run' })
  }
}

// Code that closed a stream gets no mark through.
const written = (stream, text) =>
  new Promise((resolve) => {
    setTimeout(resolve, 500).unref()
    stream.write(text, resolve)
  })

hear = async (text) => {
  const order = JSON.parse(text)
  const { result, cut, error } = await run(order)
  await Promise.all([written(process.stdout, order.mark), written(process.stderr, order.mark)])
  control.send({ done: order.id, result, cut, error, left })
}
control.send({ ready: true })
