import type { Store } from '../../domain/store.ts'

/** How a suite accesses the store under test. */
export interface Subject {
  /** Opens a store on an empty database; the suite closes it. */
  open(): Promise<Store>
  /**
   * Opens a second store on the database of the last `open`; the same store if only one process may own the database.
   */
  another(): Promise<Store>
}
