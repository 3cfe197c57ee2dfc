/**
 * Runs in a blank document of an origin, in the isolated world: `take` reads what the origin has stored, `put` stores it
 * again. The format is the driver's own (`storageState`), so that either can read it; files (`bl`) are an addition.
 */
const codec = String.raw`
  const kinds = { i8: Int8Array, ui8: Uint8Array, ui8c: Uint8ClampedArray, i16: Int16Array, ui16: Uint16Array, i32: Int32Array, ui32: Uint32Array, f32: Float32Array, f64: Float64Array, bi64: BigInt64Array, bui64: BigUint64Array }
  const toText = (bytes) => {
    let text = ''
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768))
    return btoa(text)
  }
  const toBytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
  const odd = (value) => value === undefined ? 'undefined' : value === null ? 'null' : Number.isNaN(value) ? 'NaN' : value === Infinity ? 'Infinity' : value === -Infinity ? '-Infinity' : Object.is(value, -0) ? '-0' : null
  const isSimple = (value) => typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && odd(value) === null)
  const encode = async (value, seen) => {
    if (isSimple(value)) return value
    if (odd(value) !== null) return { v: odd(value) }
    if (typeof value === 'bigint') return { bi: String(value) }
    if (seen.has(value)) return { ref: seen.get(value) }
    if (value instanceof Date) return { d: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() }
    if (value instanceof RegExp) return { r: { p: value.source, f: value.flags } }
    if (value instanceof Error) return { e: { n: value.name, m: value.message, s: value.stack ?? '' } }
    if (value instanceof ArrayBuffer) return { ab: { b: toText(new Uint8Array(value)) } }
    for (const [k, type] of Object.entries(kinds)) if (value instanceof type) return { ta: { b: toText(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)), k } }
    if (value instanceof Blob) return { bl: { b: toText(new Uint8Array(await value.arrayBuffer())), t: value.type, ...(value instanceof File ? { n: value.name, m: value.lastModified } : {}) } }
    const id = seen.size + 1
    seen.set(value, id)
    const all = async (items) => { const out = []; for (const item of items) out.push(await encode(item, seen)); return out }
    const pairs = async (entries) => { const out = []; for (const [k, v] of entries) out.push({ k: await encode(k, seen), v: await encode(v, seen) }); return out }
    if (Array.isArray(value)) return { a: await all(value), id }
    if (value instanceof Map) return { m: await pairs(value), id }
    if (value instanceof Set) return { s: await all(value), id }
    if (Object.prototype.toString.call(value) === '[object Object]') return { o: await pairs(Object.entries(value)), id }
    throw new Error('unknown kind of value')
  }
  const decode = (value, seen) => {
    if (typeof value !== 'object' || value === null) return value
    if ('ref' in value) return seen.get(value.ref)
    if ('v' in value) return { undefined, null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }[value.v]
    if ('bi' in value) return BigInt(value.bi)
    if ('d' in value) return new Date(value.d)
    if ('r' in value) return new RegExp(value.r.p, value.r.f)
    if ('e' in value) return Object.assign(new Error(value.e.m), { name: value.e.n })
    if ('ab' in value) return toBytes(value.ab.b).buffer
    if ('ta' in value) return new kinds[value.ta.k](toBytes(value.ta.b).buffer)
    if ('bl' in value) return 'n' in value.bl ? new File([toBytes(value.bl.b)], value.bl.n, { type: value.bl.t, lastModified: value.bl.m }) : new Blob([toBytes(value.bl.b)], { type: value.bl.t })
    const made = 'a' in value ? [] : 'm' in value ? new Map() : 's' in value ? new Set() : {}
    seen.set(value.id, made)
    for (const item of value.a ?? []) made.push(decode(item, seen))
    for (const { k, v } of value.m ?? []) made.set(decode(k, seen), decode(v, seen))
    for (const item of value.s ?? []) made.add(decode(item, seen))
    for (const { k, v } of value.o ?? []) Object.defineProperty(made, k, { value: decode(v, seen), writable: true, enumerable: true, configurable: true })
    return made
  }
  const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    request.onblocked = () => reject(new Error('blocked'))
  })
  const within = (ms, work) => Promise.race([work, new Promise((_, reject) => setTimeout(() => reject(new Error('late')), ms))])`

/** Reads all stores of a database, keys and values, in one transaction. */
const reader = `const read = async (db) => {
    const names = [...db.objectStoreNames]
    if (names.length === 0) return []
    const transaction = db.transaction(names, 'readonly')
    return Promise.all(names.map(async (name) => {
      const store = transaction.objectStore(name)
      const indexes = [...store.indexNames].map((one) => store.index(one)).map(({ name, keyPath, multiEntry, unique }) => ({ name, keyPath: typeof keyPath === 'string' ? keyPath : undefined, keyPathArray: Array.isArray(keyPath) ? keyPath : undefined, multiEntry, unique }))
      const head = { name, indexes, autoIncrement: store.autoIncrement, keyPath: store.keyPath instanceof DOMStringList ? [...store.keyPath] : store.keyPath }
      const [keys, values] = await Promise.all([answer(store.getAllKeys()), answer(store.getAll())])
      return { head, keys, values }
    }))
  }`

/** `most`: characters; beyond it `tooLarge` is returned. `lost`: number of records that cannot be exported; `unread`: names of databases that could not be read this time. */
export function takeScript(most: number): string {
  return String.raw`(async (most) => {${codec}
  let room = most
  let lost = 0
  const unread = []
  const spend = (value) => { room -= JSON.stringify(value).length; if (room < 0) throw new RangeError('full'); return value }
  const encoded = async (value, plain, name) => isSimple(value) ? { [plain]: value } : { [name]: await encode(value, new Map()) }
  const storeOf = async (store, keys, values) => {
    const records = []
    for (let at = 0; at < values.length; at++) {
      try {
        records.push(spend({ ...(store.keyPath === null ? await encoded(keys[at], 'key', 'keyEncoded') : {}), ...(await encoded(values[at], 'value', 'valueEncoded')) }))
      } catch (error) {
        if (error instanceof RangeError && room < 0) throw error
        lost++
      }
    }
    return { ...store, keyPath: typeof store.keyPath === 'string' ? store.keyPath : undefined, keyPathArray: Array.isArray(store.keyPath) ? store.keyPath : undefined, records }
  }
  ${reader}
  try {
    const result = { localStorage: [], indexedDB: [] }
    // By their places: names such as 'length', which the storage itself has, are not among its properties.
    for (let at = 0; at < localStorage.length; at++) {
      const name = localStorage.key(at)
      result.localStorage.push(spend({ name, value: localStorage.getItem(name) }))
    }
    for (const { name, version } of await indexedDB.databases()) {
      let db
      try {
        db = await within(3000, answer(indexedDB.open(name)))
        const stores = []
        for (const { head, keys, values } of await within(10000, read(db))) stores.push(await storeOf(head, keys, values))
        result.indexedDB.push({ name, version, stores })
      } catch (error) {
        if (room < 0) throw error
        unread.push(name)
      } finally {
        db?.close()
      }
    }
    return { ...result, lost, unread }
  } catch (error) {
    if (room < 0) return { tooLarge: true }
    // An origin that may not store anything has nothing.
    if (error.name !== 'SecurityError') throw error
    return { localStorage: [], indexedDB: [], lost, unread }
  }
})(${most})`
}

/** Returns how many databases and records could not be restored. */
export function putScript(state: object): string {
  return String.raw`(async (state) => {${codec}
  let lost = 0
  for (const { name, value } of state.localStorage ?? []) {
    try { localStorage.setItem(name, value) } catch { lost++ }
  }
  for (const { name, version, stores } of state.indexedDB ?? []) {
    let db
    try {
      const opening = indexedDB.open(name, version)
      opening.onupgradeneeded = () => {
        for (const { name, keyPath, keyPathArray, autoIncrement, indexes } of stores) {
          const store = opening.result.createObjectStore(name, { keyPath: keyPathArray ?? keyPath ?? null, autoIncrement })
          for (const index of indexes) store.createIndex(index.name, index.keyPathArray ?? index.keyPath, { unique: index.unique, multiEntry: index.multiEntry })
        }
      }
      db = await within(5000, answer(opening))
      if (stores.length === 0) continue
      const transaction = db.transaction(stores.map((one) => one.name), 'readwrite')
      const done = new Promise((resolve, reject) => { transaction.oncomplete = resolve; transaction.onabort = () => reject(transaction.error) })
      for (const { name, records } of stores) {
        const store = transaction.objectStore(name)
        for (const record of records) {
          try {
            const value = 'value' in record ? record.value : decode(record.valueEncoded, new Map())
            const request = 'key' in record || 'keyEncoded' in record ? store.put(value, 'key' in record ? record.key : decode(record.keyEncoded, new Map())) : store.put(value)
            request.onerror = (event) => { event.preventDefault(); lost++ }
          } catch { lost++ }
        }
      }
      await within(20000, done)
    } catch {
      lost++
    } finally {
      db?.close()
    }
  }
  return lost
})(${JSON.stringify(state).replaceAll('\u2028', String.raw`\u2028`).replaceAll('\u2029', String.raw`\u2029`)})`
}
