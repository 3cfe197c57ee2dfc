/** Content-addressed storage: the key is the SHA-256 of the uncompressed bytes, in hex. */
export interface BlobPlace {
  /**
   * Returns once the bytes are durable (file and folder synced, or accepted by the object store); the same bytes give the
   * same key.
   */
  put(bytes: Uint8Array): Promise<string>
  /** Postpones the sweep of a blob as `put` does, but without its bytes; false when there is no such blob. */
  keep(key: string): Promise<boolean>
  /** Null when there is no such blob. */
  get(key: string): Promise<Uint8Array | null>
  /**
   * Deletes every blob that is older than `graceMs` and that `inUse` does not return; some are only finally deleted by the
   * first sweep after another `graceMs`. Returns how many.
   */
  sweep(inUse: (keys: readonly string[]) => Promise<ReadonlySet<string>>, graceMs: number): Promise<number>
  /** Deletes those of the given blobs that `sweep` would delete, by the same rules; returns how many. */
  remove(keys: readonly string[], inUse: (keys: readonly string[]) => Promise<ReadonlySet<string>>, graceMs: number): Promise<number>
}

/** A small blob that a settlement will write: in its stored encoding. */
export interface EnclosedBlob {
  readonly key: string
  readonly packed: Uint8Array
  readonly at: number
}

/** The result of `enclose`: durable when nothing is enclosed, otherwise once the settlement is. */
export interface Kept {
  readonly key: string
  readonly enclosed: EnclosedBlob | null
}

/** Blob storage that may keep small blobs in rows of the store. */
export interface Blobs extends BlobPlace {
  /**
   * Like `put`, but leaves a small blob to the settlement that refers to it, where the store supports that: rows and bytes
   * are then written in one commit.
   */
  enclose(bytes: Uint8Array): Promise<Kept>
}

/** Small blobs inside the store. `at` is when a blob was last put or kept. */
export interface BlobRows {
  /** In its stored encoding; null when there is none. */
  find(key: string): Promise<Uint8Array | null>
  /** Null when there is none. */
  keptAt(key: string): Promise<number | null>
  /** Postpones the sweep; false when there is none. */
  keep(key: string, at: number): Promise<boolean>
  /** Oldest first: up to `limit` of those last kept before `before`, starting after the given one. */
  old(before: number, after: { readonly at: number; readonly key: string } | null, limit: number): Promise<readonly { readonly at: number; readonly key: string }[]>
  /** Deletes those that were last kept before that time; returns how many. */
  remove(keys: readonly string[], before: number): Promise<number>
}

/** Stores the key of a blob that proves that the blobs of this database are reachable. */
export interface BlobMarker {
  /** The key; null when there is none yet. */
  find(): Promise<string | null>
  /** Replaces the marker if it is still `instead`; returns the current one. */
  replace(instead: string | null, key: string): Promise<string>
}
