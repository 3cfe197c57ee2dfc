import { ServiceError } from '../domain/errors.ts'
import type { ResultPorts } from './results.ts'

/** A file ready to be sent. */
export interface StoredFile {
  readonly media: string
  readonly bytes: Uint8Array
}

/** The file that a token names. Throws `NOT_FOUND` and `JOB_EXPIRED`. */
export async function storedArtifact(token: string, { results, blobs, now }: ResultPorts): Promise<StoredFile> {
  const artifact = await results.artifact(token)
  if (artifact === null) throw new ServiceError('NOT_FOUND', 'There is no such file.')
  const bytes = artifact.expiresAt <= now() ? null : await blobs.get(artifact.blob)
  if (bytes === null) throw new ServiceError('JOB_EXPIRED', 'This file is no longer there.')
  return { media: artifact.media, bytes }
}
