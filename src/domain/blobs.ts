/** Where bytes are kept by their content: the key is the SHA-256 of the uncompressed bytes in hex. */
export interface BlobPlace {
  /** Durable (file and folder synced, or taken by the object store) before it answers; the same bytes give the same key. */
  put(bytes: Uint8Array): Promise<string>
  /** Puts off the sweep of a blob as `put` does, without its bytes; false when there is none. */
  keep(key: string): Promise<boolean>
  /** Null when there is no such blob. */
  get(key: string): Promise<Uint8Array | null>
  /** Deletes every blob that is older than `graceMs` and that `inUse` does not name, some of them for good only with the first sweep another `graceMs` later; answers how many. */
  sweep(inUse: (keys: readonly string[]) => Promise<ReadonlySet<string>>, graceMs: number): Promise<number>
  /** Deletes those of these blobs that `sweep` would delete, by the same rules; answers how many. */
  remove(keys: readonly string[], inUse: (keys: readonly string[]) => Promise<ReadonlySet<string>>, graceMs: number): Promise<number>
}

/** A small blob on its way: packed as it is kept, at the time of the settlement that takes it along. */
export interface EnclosedBlob {
  readonly key: string
  readonly packed: Uint8Array
  readonly at: number
}

/** What was given to be kept: durable by now where nothing is enclosed, else as soon as its settlement is. */
export interface Kept {
  readonly key: string
  readonly enclosed: EnclosedBlob | null
}

/** A place for bytes, small ones of which may be kept in the rows of the store. */
export interface Blobs extends BlobPlace {
  /** As `put`, but leaves a small blob to the settlement that names it, where the store takes such: its rows and its bytes are then written in one commit. */
  enclose(bytes: Uint8Array): Promise<Kept>
}

/** Small blobs within the store itself. `at` is when a blob was put or kept last. */
export interface BlobRows {
  /** As packed; null when there is none. */
  find(key: string): Promise<Uint8Array | null>
  /** Null when there is none. */
  keptAt(key: string): Promise<number | null>
  /** Puts off the sweep; false when there is none. */
  keep(key: string, at: number): Promise<boolean>
  /** Oldest first, up to `limit` of those kept before that time, beyond the one named. */
  old(before: number, after: { readonly at: number; readonly key: string } | null, limit: number): Promise<readonly { readonly at: number; readonly key: string }[]>
  /** Deletes those that were last kept before that time; answers how many. */
  remove(keys: readonly string[], before: number): Promise<number>
}

/** Names the one blob that is there wherever the blobs of this database are. */
export interface BlobMarker {
  /** Its key; null when there is none yet. */
  find(): Promise<string | null>
  /** Takes another for it, if it is still the one that is to be replaced; answers the one that it is now. */
  replace(instead: string | null, key: string): Promise<string>
}
