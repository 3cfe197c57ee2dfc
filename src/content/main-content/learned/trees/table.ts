/** Features of blocks, one row per block, stored by column: the trees look at one feature of all rows at a time. */
export interface Table {
  readonly rows: number
  readonly columns: Float32Array
}

/** The length of a row: the features and some spare room. Any change of the features makes the trained trees useless. */
export const width = 184

/** Writes one row after the other, feature by feature. */
export class RowWriter implements Table {
  readonly rows: number
  readonly columns: Float32Array
  /** Index of the next number. Set it to the number of the row to start a row. */
  at = 0

  constructor(rows: number) {
    this.rows = rows
    this.columns = new Float32Array(rows * width)
  }

  add(value: number): void {
    this.columns[this.at] = value
    this.at += this.rows
  }

  /**
   * Skips columns and returns the index of the first. While the first row is written, all rows get `value` there as the
   * default.
   */
  skip(count: number, value: number): number {
    const from = this.at
    this.at += count * this.rows
    if (from % this.rows === 0) this.columns.fill(value, from, this.at)
    return from
  }

  /** Ends the rows with numbers that all rows share. */
  addToAll(values: readonly number[]): void {
    const column = Math.floor(this.at / Math.max(this.rows, 1))
    if (column + values.length > width) throw new Error(`a row holds ${column + values.length} numbers`)
    values.forEach((value, i) => this.columns.fill(value, (column + i) * this.rows, (column + i + 1) * this.rows))
  }
}
