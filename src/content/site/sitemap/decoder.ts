import { encodingOf } from '../../charset/labels.ts'

/** Decodes bytes as they arrive. */
export interface SitemapDecoder {
  write(chunk: Uint8Array): string
  end(): string
}

/** How many bytes are needed to detect the encoding. */
const headBytes = 256

/**
 * A decoder that follows the byte order mark, a two-byte first character, or the XML declaration; otherwise UTF-8, as the
 * protocol requires.
 */
export function sitemapDecoder(): SitemapDecoder {
  let head: Uint8Array | null = new Uint8Array(0)
  let decoder: InstanceType<typeof TextDecoder> | null = null
  const start = (bytes: Uint8Array): string => {
    head = null
    decoder = new TextDecoder(sniffed(bytes))
    return decoder.decode(bytes, { stream: true })
  }
  return {
    write(chunk) {
      if (decoder !== null) return decoder.decode(chunk, { stream: true })
      const joined: Uint8Array = new Uint8Array((head?.length ?? 0) + chunk.length)
      joined.set(head ?? [])
      joined.set(chunk, head?.length ?? 0)
      head = joined
      return joined.length < headBytes ? '' : start(joined)
    },
    end() {
      const first = decoder === null ? start(head ?? new Uint8Array(0)) : ''
      return first + (decoder?.decode() ?? '')
    },
  }
}

function sniffed(bytes: Uint8Array): string {
  const [a, b] = bytes
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be'
  const head = String.fromCharCode(...bytes.subarray(0, headBytes))
  const label = /^\s*<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]+)/.exec(head.replace(/^\u00ef\u00bb\u00bf/, ''))?.[1]
  const name = label === undefined ? null : encodingOf(label)
  try {
    // A declaration that is readable byte by byte is not UTF-16, whatever it says.
    return name === null || name.startsWith('utf-16') ? 'utf-8' : new TextDecoder(name).encoding
  } catch {
    // The platform does not know the encoding, but addresses are ASCII anyway.
    return 'utf-8'
  }
}
