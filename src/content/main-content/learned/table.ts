/** Numbers about blocks, one row a block. */
export interface Table {
  readonly width: number
  readonly rows: Float32Array
}

/** Writes one row. */
export class Row {
  at: number
  readonly #rows: Float32Array

  constructor(rows: Float32Array, start: number) {
    this.#rows = rows
    this.at = start
  }

  add(...values: readonly number[]): void {
    for (const value of values) this.#rows[this.at++] = value
  }

  one(value: number): void {
    this.#rows[this.at++] = value
  }
}

/** How long a row is: what it holds, and some room. A change of what it holds makes the trees worthless. */
export const width = 256
