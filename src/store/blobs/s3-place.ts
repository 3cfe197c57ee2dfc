import { urlOf, webUrlOf } from '../../lib/url-of.ts'

/** Where in an object store the blobs are. */
export interface S3Place {
  /** The target of requests: scheme, host and port, with the bucket's name in the host or in the path. */
  readonly origin: URL
  /** The path of every object, including its last slash. */
  readonly path: string
  /** The same inside the bucket: empty, or ending in a slash. */
  readonly prefix: string
  readonly bucket: string
  readonly region: string
}

/** The credentials by which requests are signed. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const form = 's3://bucket/prefix?endpoint=https://host:port&region=name&pathStyle=true'
const parameters = ['endpoint', 'region', 'pathStyle']

/** Reads `s3://bucket/prefix?endpoint=…&region=…&pathStyle=…`. Throws an `Error` with the rest of a sentence that begins with the setting's name and shows nothing of the text. */
export function s3Place(text: string): S3Place {
  const url = urlOf(text)
  if (url === null || url.protocol !== 's3:' || url.hash !== '') throw new Error(`must be of the form ${form}`)
  if (url.username !== '' || url.password !== '') throw new Error('must not hold credentials: set TRAWL_S3_ACCESS_KEY_ID and TRAWL_S3_SECRET_ACCESS_KEY')
  const names = [...url.searchParams.keys()]
  if (names.some((name) => !parameters.includes(name)) || new Set(names).size < names.length) throw new Error(`takes ${parameters.join(', ')}, each once`)
  const bucket = url.host
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) throw new Error('does not name a bucket: 3 to 63 small letters, digits, dots and dashes')
  const prefix = prefixOf(url.pathname)
  const region = url.searchParams.get('region') ?? 'us-east-1'
  if (!/^[a-zA-Z0-9-]{1,64}$/.test(region)) throw new Error('names a region that cannot be')
  const given = url.searchParams.get('endpoint')
  const origin = endpointOf(given ?? `https://s3.${region}.amazonaws.com`)
  if (pathStyleOf(url.searchParams.get('pathStyle'), given !== null)) return { origin, path: `/${bucket}/${prefix}`, prefix, bucket, region }
  if (/^[\d.]+$|^\[/.test(origin.hostname)) throw new Error('needs pathStyle=true where the endpoint is an address')
  origin.hostname = `${bucket}.${origin.hostname}`
  return { origin, path: `/${prefix}`, prefix, bucket, region }
}

function prefixOf(pathname: string): string {
  const parts = pathname.split('/').filter((part) => part !== '')
  if (parts.some((part) => !/^[A-Za-z0-9._-]+$/.test(part))) throw new Error('has a prefix that is not made of letters, digits, dots, dashes, underscores and slashes')
  return parts.map((part) => `${part}/`).join('')
}

function endpointOf(text: string): URL {
  const url = webUrlOf(text)
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new Error('needs an endpoint of the form http://host:port or https://host:port')
  }
  return url
}

/** Stores other than Amazon's usually support only the path style. */
function pathStyleOf(text: string | null, fallback: boolean): boolean {
  if (text === null) return fallback
  if (text !== 'true' && text !== 'false') throw new Error('takes pathStyle=true or pathStyle=false')
  return text === 'true'
}
