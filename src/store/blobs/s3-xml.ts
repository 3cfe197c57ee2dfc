import { Parser } from 'htmlparser2'

/** An object in a listing. */
export interface Listed {
  readonly name: string
  /** When it was last written, in milliseconds since 1970 by the store's clock. */
  readonly at: number
}

/** One page of a listing. */
export interface ListPage {
  readonly objects: readonly Listed[]
  /** Where the next page starts; null on the last one. */
  readonly next: string | null
}

/** The texts of an XML document with the names of their ancestors, in order; null when the document is incomplete. */
function textsOf(xml: Uint8Array): readonly (readonly [path: string, text: string])[] | null {
  const texts: [string, string][] = []
  const open: string[] = []
  let text = ''
  let ended = false
  const parser = new Parser(
    {
      onopentagname(name) {
        open.push(name)
        text = ''
      },
      ontext: (part) => void (text += part),
      onclosetag(_, implied) {
        if (!implied) texts.push([open.join('/'), text])
        open.pop()
        text = ''
        ended = !implied && open.length === 0
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength).toString())
  return ended ? texts : null
}

/** Parses the response of ListObjectsV2. Throws for anything else. */
export function readList(xml: Uint8Array): ListPage {
  const texts = textsOf(xml)
  if (texts?.at(-1)?.[0] !== 'ListBucketResult') throw new Error('no listing')
  const objects: Listed[] = []
  let name = ''
  let at = NaN
  for (const [path, text] of texts) {
    if (path === 'ListBucketResult/Contents/Key') name = text
    if (path === 'ListBucketResult/Contents/LastModified') at = Date.parse(text)
    if (path === 'ListBucketResult/Contents') {
      if (name === '' || Number.isNaN(at)) throw new Error('a listing without names or times')
      objects.push({ name, at })
      name = ''
      at = NaN
    }
  }
  const field = (wanted: string): string | undefined => texts.find(([path]) => path === `ListBucketResult/${wanted}`)?.[1]
  const next = field('NextContinuationToken') ?? ''
  if (field('IsTruncated') !== 'true') return { objects, next: null }
  if (next === '') throw new Error('a listing that does not say where it goes on')
  return { objects, next }
}

/** The code of an error document, such as `NoSuchBucket`; empty when it is none. */
export function errorCodeIn(xml: Uint8Array): string {
  const code = textsOf(xml)?.find(([path]) => path === 'Error/Code')?.[1] ?? ''
  return /^[A-Za-z0-9]{1,60}$/.test(code) ? code : ''
}
