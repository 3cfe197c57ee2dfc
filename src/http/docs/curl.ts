/** A form of these has a file; everything else is JSON. */
const form = 'multipart/form-data'

/** A text as one word of a shell. */
const word = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What is sent: its media type, and the example as OpenAPI has it. */
export interface SentExample {
  readonly media: string
  readonly value: unknown
}

/** The POST as a command for a shell in which `TRAWL` is the address of the service and `KEY` the key. */
export function curlOf(path: string, { media, value }: SentExample): string {
  const address = `"$TRAWL${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}"`
  const start = `curl -s ${address} -H "Authorization: Bearer $KEY"`
  if (media !== form) return `${start} -H 'Content-Type: application/json' \\\n  -d ${word(JSON.stringify(value))}`
  const { options } = value as { readonly options: unknown } // the form of an upload
  return `${start} \\\n  -F file=@report.pdf -F ${word(`options=${JSON.stringify(options)}`)}`
}
