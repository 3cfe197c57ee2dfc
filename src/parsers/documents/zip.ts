import { unzipSync, zipSync } from 'fflate'
import { UnreadableDocument } from './unreadable.ts'
import { decodeXml, parseXml, type XmlElement } from './xml.ts'

/** The files of an archive by path. */
export type Parts = ReadonlyMap<string, Uint8Array>

/** Limits of an archive: unpacked bytes, and number of files. Real documents stay far below. */
const maxBytes = 128 * 1024 * 1024
const maxFiles = 20_000

/** A path with the separator of archives, where a program of Windows wrote its own. */
const slashed = (path: string): string => path.replaceAll('\\', '/')

/**
 * Unpacks the files of an archive for which `wanted` returns true, given path and unpacked size. More than the declared
 * size is never written. Throws `UnreadableDocument`.
 */
export function unzip(bytes: Uint8Array, wanted: (path: string, size: number) => boolean): Parts {
  let total = 0
  let files = 0
  try {
    const filter = ({ name: path, originalSize }: { readonly name: string; readonly originalSize: number }): boolean => {
      const name = slashed(path)
      if (++files > maxFiles) throw new UnreadableDocument('too-large')
      if (name.endsWith('/') || !wanted(name, originalSize)) return false
      total += originalSize
      if (total > maxBytes) throw new UnreadableDocument('too-large')
      return true
    }
    return new Map(Object.entries(unzipSync(bytes, { filter })).map(([path, content]) => [slashed(path), content]))
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : new UnreadableDocument('broken', error)
  }
}

/** The paths in an archive. Throws `UnreadableDocument`. */
export function pathsOf(bytes: Uint8Array): ReadonlySet<string> {
  const paths = new Set<string>()
  unzip(bytes, (path) => {
    paths.add(path)
    return false
  })
  return paths
}

/** The same files as an uncompressed archive, for libraries that unpack without limits. */
export function stored(parts: Parts): Uint8Array {
  return zipSync(Object.fromEntries(parts), { level: 0 })
}

/** A file of an archive as XML; undefined when it is missing. */
export function xmlPart(parts: Parts, path: string): XmlElement | undefined {
  const bytes = parts.get(path)
  return bytes === undefined ? undefined : parseXml(decodeXml(bytes))
}

/** Resolves a path relative to the folder of another file of the archive. */
export function resolvePath(from: string, target: string): string {
  const base = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const part of target.split('/')) {
    if (part === '..') base.pop()
    else if (part !== '.' && part !== '') base.push(part)
  }
  return base.join('/')
}
