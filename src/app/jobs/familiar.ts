import type { Familiar } from '../../domain/reading.ts'

/** What the pages of a job say that this process has read lately, host by host. */
export interface FamiliarTexts {
  of(host: string): Familiar
  add(host: string, texts: Int32Array): void
}

/** The same of all jobs; those of hosts heard of longest ago are forgotten first. */
export interface FamiliarShelf {
  /** For one more job. */
  open(): FamiliarTexts
}

/** Pages that are remembered of a host. Once there are so many they count half, and only each eighth page adds to them. */
const window = 16
const every = 8
/** Texts that are remembered of a host, and hosts of all jobs: together some 20 MB at most. */
const maxTexts = 4_000
const maxHosts = 100

interface Host {
  offered: number
  pages: number
  readonly counts: Map<number, number>
  made: Familiar | null
}

const nothing: Familiar = { pages: 0, often: new Int32Array(), ever: new Int32Array() }

function halve(host: Host): void {
  host.pages >>= 1
  for (const [text, count] of host.counts) {
    if (count > 1) host.counts.set(text, count >> 1)
    else host.counts.delete(text)
  }
}

function learn(host: Host, texts: Int32Array): void {
  host.offered++
  if (host.offered > window && host.offered % every !== 0) return
  for (const text of new Set(texts)) {
    const count = host.counts.get(text) ?? 0
    if (count > 0 || host.counts.size < maxTexts) host.counts.set(text, count + 1)
  }
  host.pages++
  host.made = null
  if (host.pages >= window) halve(host)
}

function made({ pages, counts }: Host): Familiar {
  const often = [...counts].filter(([, count]) => count * 2 >= pages).map(([text]) => text)
  return { pages, often: Int32Array.from(often).sort(), ever: Int32Array.from(counts.keys()).sort() }
}

/** Nothing that a restart could not learn anew from the pages after it. */
export function familiarShelf(): FamiliarShelf {
  const hosts = new Map<string, Host>()
  let jobs = 0
  return {
    open() {
      const job = jobs++
      return {
        of(name) {
          const host = hosts.get(`${job} ${name}`)
          return host === undefined ? nothing : (host.made ??= made(host))
        },
        add(name, texts) {
          const key = `${job} ${name}`
          const host = hosts.get(key) ?? { offered: 0, pages: 0, counts: new Map(), made: null }
          hosts.delete(key)
          hosts.set(key, host)
          learn(host, texts)
          const [oldest] = hosts.keys()
          if (hosts.size > maxHosts && oldest !== undefined) hosts.delete(oldest)
        },
      }
    },
  }
}
