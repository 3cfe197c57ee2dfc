export interface Finding {
  readonly rule: string
  readonly path: string
  readonly line: number
  readonly message: string
  readonly level: 'error' | 'warning'
}

/** Checks the tree below `root`; returns findings sorted by file and line. */
export function checkTree(root: string): Finding[]
