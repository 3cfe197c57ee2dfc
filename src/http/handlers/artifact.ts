import { storedArtifact } from '../../app/artifacts.ts'
import type { routes } from '../../spec/routes.ts'
import type { Handler } from './handler.ts'

/** Page content must neither run nor be sniffed as another type, and its URL must not leak. */
const guarded = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox", 'referrer-policy': 'no-referrer', 'cache-control': 'private, max-age=3600' }

/** GET /v2/artifacts/{token} */
export const artifact: Handler<typeof routes.artifact> = async ({ params }, { ports, reply }) => {
  const { media, bytes } = await storedArtifact(params.token, ports.results)
  // Browsers do not display PDF files in a sandbox; scripts in PDF files have no origin anyway.
  void reply.headers(media === 'application/pdf' ? { ...guarded, 'content-security-policy': "default-src 'none'" } : guarded)
  return { media, body: bytes }
}
