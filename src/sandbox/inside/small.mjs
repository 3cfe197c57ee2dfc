/**
 * The small interpreter of `node` code, for machines where no walls of the kernel can be built: QuickJS in WebAssembly, in a thread of its
 * own. Code in it can call the functions below and nothing else; they say what is to be done, and `small.ts` on the other side decides.
 */
import { parentPort, workerData } from 'node:worker_threads'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'

const { prelude, limits } = workerData
/** `await` at the top of a script: the flag of QuickJS itself. */
const asyncScript = 1 << 7

/** A page of WebAssembly memory, and how many the module asks for at its start. */
const [pageBytes, firstPages] = [65_536, 256]
// The limit of QuickJS itself (`setMemoryLimit`) does not hold here: this build cannot tell the sizes of its blocks, and counts each as 8 bytes.
const mostPages = firstPages + Math.ceil(limits.memoryBytes / pageBytes)
const wasmMemory = new WebAssembly.Memory({ initial: firstPages, maximum: mostPages })
const runtime = (await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }))).newRuntime()
runtime.setMaxStackSize(limits.stackBytes)
const vm = runtime.newContext()

const waiting = new Map()
/** Characters of the requests that wait for their answers. */
let asked = 0
let last = 0
let said = { out: 0, err: 0 }

// What code goes on doing between its runs has a limit; a run is ended from outside.
let running = false
let idleMs = 0
let until = Infinity
runtime.setInterruptHandler(() => performance.now() > until)

const pump = () => {
  const began = performance.now()
  until = running ? Infinity : began + limits.idleMs - idleMs
  const done = runtime.executePendingJobs()
  if (done.error !== undefined) done.error.dispose()
  if (!running) idleMs += performance.now() - began
}

/** A promise inside, settled from outside. */
function promised(length, begin) {
  const deferred = vm.newPromise()
  const id = ++last
  waiting.set(id, { deferred, length })
  asked += length
  deferred.settled.then(pump)
  begin(id)
  return deferred.handle
}

function settle(id, { error, value }) {
  const { deferred, length } = waiting.get(id) ?? {}
  if (deferred === undefined) return
  waiting.delete(id)
  asked -= length
  if (error !== undefined) {
    const made = vm.newError({ name: 'Error', message: error })
    deferred.reject(made)
    made.dispose()
  } else {
    const text = value === undefined ? vm.undefined : vm.newString(value)
    deferred.resolve(text)
    text.dispose()
  }
  deferred.dispose()
  pump()
}

const doors = {
  doorCall(what) {
    if (waiting.size >= limits.calls) return { error: vm.newError('Too many calls wait for their answers.') }
    const text = vm.getString(what)
    if (asked + text.length > limits.asked) return { error: vm.newError('The calls that wait for their answers are too long.') }
    return promised(text.length, (id) => parentPort.postMessage({ call: id, what: text }))
  },
  doorSleep(ms) {
    if (waiting.size >= limits.calls) return { error: vm.newError('Too many timers.') }
    const pause = Math.min(Math.max(0, vm.getNumber(ms) || 0), 2 ** 31 - 1)
    return promised(0, (id) => void setTimeout(settle, pause, id, {}))
  },
  doorSay(stream, what) {
    const name = vm.getString(stream) === 'err' ? 'err' : 'out'
    const text = vm.getString(what)
    said[name] += text.length
    // The other side cuts and says so; what is beyond is not even sent.
    if (said[name] <= limits.outputBytes * 2) parentPort.postMessage({ say: name, text })
    return vm.undefined
  },
}

for (const [name, door] of Object.entries(doors)) vm.newFunction(name, door).consume((made) => vm.setProp(vm.global, name, made))
const inside = vm.unwrapResult(vm.evalCode(prelude, 'page.js'))

function complaint(handle) {
  const error = vm.dump(handle)
  handle.dispose()
  if (typeof error !== 'object' || error === null || typeof error.message !== 'string') return { text: `Uncaught ${JSON.stringify(error) ?? 'undefined'}`, syntax: false }
  const head = `${error.name}: ${error.message}`
  return { text: error.stack ? `${head}\n${String(error.stack).trimEnd()}` : head, head, syntax: error.name === 'SyntaxError' }
}

/** What a script comes to, as `{ text }` or `{ error }`. */
async function evaluated(code) {
  const began = vm.evalCode(code, 'code.js', asyncScript)
  if (began.error !== undefined) return { error: complaint(began.error) }
  const ended = vm.resolvePromise(began.value)
  began.value.dispose()
  pump()
  const box = await ended
  if (box.error !== undefined) return { error: complaint(box.error) }
  const finish = vm.getProp(inside, 'finish')
  const told = vm.callFunction(finish, vm.undefined, box.value)
  finish.dispose()
  box.value.dispose()
  if (told.error !== undefined) return { error: complaint(told.error) }
  const settled = vm.resolvePromise(told.value)
  told.value.dispose()
  pump()
  const text = await settled
  if (text.error !== undefined) return { error: complaint(text.error) }
  const value = vm.dump(text.value)
  text.value.dispose()
  return { text: typeof value === 'string' ? value : null }
}

/** Memory grows by up to a fifth at once: what stands this close to its maximum may not grow any more. */
const nearlyAll = 0.8
/** Whether the code has used up its memory: nothing more can be done in it, not even to say so. A single request that was too large leaves it as it was. */
const isFull = () => wasmMemory.buffer.byteLength >= nearlyAll * mostPages * pageBytes
const ranOut = (error) => error !== undefined && /out of memory|^Uncaught null$/.test(error.text) && isFull()

async function run(code) {
  const first = await evaluated(code)
  if (first.error?.syntax !== true) return first
  // As in a browser's console: a name that is declared again is one of this run alone.
  if (/redeclaration/.test(first.error.text)) return evaluated(`{\n${code}\n}`)
  // Code that is written as the body of a function.
  return /return not in a function/.test(first.error.text) ? evaluated(`(async () => {${code}\n})()`) : first
}

/** Runs the code of a message. Without memory, QuickJS and what speaks with it fail anywhere. */
async function outcomeOf({ url, code }) {
  try {
    vm.newString(url).consume((made) => vm.setProp(inside, 'url', made))
    return await run(code)
  } catch (thrown) {
    if (isFull()) return { error: { text: 'out of memory' } }
    throw thrown
  }
}

parentPort.on('message', async (message) => {
  if ('answer' in message) return settle(message.answer, message)
  said = { out: 0, err: 0 }
  running = true
  idleMs = 0
  until = Infinity
  const { text = null, error } = await outcomeOf(message)
  running = false
  parentPort.postMessage({ done: message.run, result: text === null ? null : text.slice(0, limits.outputBytes), cut: text !== null && text.length > limits.outputBytes, full: ranOut(error), error: error === undefined ? null : (error.head ?? error.text), trace: error === undefined ? '' : error.text })
})
parentPort.postMessage({ ready: true })
