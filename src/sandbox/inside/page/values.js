// Carries values between Python and the scripts of a page: JSON knows no elements, no dates and no endless numbers.
(() => ({
  opened(value, handles) {
    if (value === null || typeof value !== 'object') return value
    if (value.a) return value.a.map((one) => this.opened(one, handles))
    if (value.o) return Object.fromEntries(value.o.map(([key, one]) => [key, this.opened(one, handles)]))
    if (value.h !== undefined) return handles[value.h]
    if (value.d !== undefined) return new Date(value.d)
    if (value.p) return new RegExp(...value.p)
    return value.i === undefined ? Number(value.n) : BigInt(value.i)
  },
  told(value, seen = new Map()) {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return null
    if (typeof value === 'number' && !Number.isFinite(value)) return { n: String(value) }
    if (typeof value === 'bigint') return { i: String(value) }
    if (value === null || typeof value !== 'object') return value
    if (value === globalThis) return 'ref: <Window>'
    if (value instanceof Node) return value === document ? 'ref: <Document>' : 'ref: <Node>'
    if (value instanceof Date) return { d: value.getTime() }
    if (value instanceof RegExp || value instanceof Error) return String(value)
    const list = Array.isArray(value) || value instanceof Set || ArrayBuffer.isView(value) && !(value instanceof DataView)
    const plain = list || value instanceof Map || typeof value.toJSON !== 'function' ? value : value.toJSON()
    if (plain !== value) return this.told(plain, seen)
    if (seen.has(value)) return { r: seen.get(value) }
    const id = seen.size
    seen.set(value, id)
    // A page may have an Array.from of its own.
    if (list) return { id, a: [...value].map((one) => this.told(one, seen)) }
    if (value instanceof Map) return { id, o: [...value].map(([key, one]) => [String(key), this.told(one, seen)]) }
    return { id, o: Object.keys(value).map((key) => [key, this.told(value[key], seen)]) }
  },
}))()
