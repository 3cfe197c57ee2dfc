'use strict'
/** Loading what is built: what V8 made of it at the build is not made anew at each start (docs/adr/0022). */
const { createHash } = require('node:crypto')
const { readFileSync, statSync, writeFileSync } = require('node:fs')
const { createRequire, Module } = require('node:module')
const { dirname, join, relative } = require('node:path')
const { cachedDataVersionTag, deserialize, serialize } = require('node:v8')
const vm = require('node:vm')

const digestBytes = 32
const keptMs = 5_000

const digestOf = (bytes) => createHash('sha256').update(bytes).digest()

/** V8's tag stands for its version, the flags that it runs with and the features of the processor. */
const compiledIn = (folder) => join(folder, `compiled-${process.version}-${process.arch}-${cachedDataVersionTag()}`)

/** Who looks into a process with Node's own tools is to find the files under their full names. */
const looksInto = () => process.env.NODE_V8_COVERAGE !== undefined || /--(inspect|enable-source-maps|cpu-prof|heap-prof)/.test([...process.execArgv, process.env.NODE_OPTIONS].join(' '))

/** What came of each file, by its path in the folder, and when; null where there is nothing for this Node and its flags, or where it is not as it was written. */
function readCompiled(folder) {
  const path = compiledIn(folder)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return null
  let bytes
  try {
    bytes = readFileSync(path)
  } catch {
    // Another user may have built: what cannot be read is compiled anew.
    return null
  }
  const content = bytes.subarray(digestBytes)
  // V8 takes what it is given as it is.
  return digestOf(content).equals(bytes.subarray(0, digestBytes)) ? { codes: deserialize(content), since: stats.mtimeMs } : null
}

/** Writes what V8 has made of these scripts so far, for starts that have its flags as they are now. */
function writeCompiled(folder, scripts) {
  const content = serialize(new Map(scripts.map(([name, script]) => [name, script.createCachedData()])))
  writeFileSync(compiledIn(folder), Buffer.concat([digestOf(content), content]))
}

/** A `require` for the scripts of a folder, by their paths in it; `onScript` is told of each that V8 has been given. */
function loaderOf(folder, { codes, since }, onScript = () => undefined) {
  const modules = new Map()
  const others = createRequire(join(folder, 'any.js'))

  function load(file) {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(file, module)
    try {
      const from = (id) => join(dirname(file), id)
      const require = (id) => (!id.startsWith('.') ? others(id) : id.endsWith('.js') ? load(from(id)) : others(from(id)))
      scriptOf(file).runInThisContext().call(module.exports, module.exports, require, module, file, dirname(file))
    } catch (error) {
      modules.delete(file)
      throw error
    }
    return module.exports
  }

  function scriptOf(file) {
    const name = relative(folder, file)
    // V8 compares no more of a source than its length: one that was edited since by hand may have the same.
    const cachedData = statSync(file).mtimeMs <= since ? codes.get(name) : undefined
    codes.delete(name)
    // What is compiled keeps the name that it was compiled by, wherever it is moved.
    const script = new vm.Script(Module.wrap(readFileSync(file, 'utf8')), { filename: `dist/${name}`, columnOffset: -Module.wrap('').indexOf('\n'), cachedData })
    onScript(name, script)
    return script
  }

  // What a start has no use for is not kept. It would not fit any more: the service runs with other flags once it has started.
  setTimeout(() => codes.clear(), keptMs).unref()
  return (name) => load(join(folder, name))
}

/** What a script of the folder exports: with what was compiled where that is possible, and as Node loads it where not. */
function load(folder, name) {
  const compiled = looksInto() ? null : readCompiled(folder)
  return compiled === null ? require(join(folder, name)) : loaderOf(folder, compiled)(name)
}

module.exports = { load, loaderOf, readCompiled, writeCompiled }
