import { storedArtifact } from '../../app/artifacts.ts'
import type { routes } from '../../spec/routes.ts'
import type { Handler } from './handler.ts'

/** What a page drew is not to run or be taken for anything else, and its address is not to be told. */
const guarded = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox", 'referrer-policy': 'no-referrer', 'cache-control': 'private, max-age=3600' }

/** GET /v2/artifacts/{token} */
export const artifact: Handler<typeof routes.artifact> = async ({ params }, { ports, reply }) => {
  const { media, bytes } = await storedArtifact(params.token, ports.results)
  // In a sandbox browsers do not show PDF files, whose scripts have no origin anyway.
  void reply.headers(media === 'application/pdf' ? { ...guarded, 'content-security-policy': "default-src 'none'" } : guarded)
  return { media, body: bytes }
}
