/** Numbers about blocks, one row a block, column by column: what looks at one number of all rows finds them side by side. */
export interface Table {
  readonly rows: number
  readonly columns: Float32Array
}

/** How long a row is: what it holds, and some room. A change of what it holds makes the trees worthless. */
export const width = 184

/** Writes one row after the other, number by number. */
export class RowWriter implements Table {
  readonly rows: number
  readonly columns: Float32Array
  /** Where the next number goes; a row starts at its own place. */
  at = 0

  constructor(rows: number) {
    this.rows = rows
    this.columns = new Float32Array(rows * width)
  }

  add(value: number): void {
    this.columns[this.at] = value
    this.at += this.rows
  }

  /** Leaves numbers out; answers where the first one is. The first row decides what they are where nobody writes them. */
  skip(count: number, value: number): number {
    const from = this.at
    this.at += count * this.rows
    if (from % this.rows === 0) this.columns.fill(value, from, this.at)
    return from
  }

  /** Ends the rows with numbers that all of them share. */
  addToAll(values: readonly number[]): void {
    const column = Math.floor(this.at / Math.max(this.rows, 1))
    if (column + values.length > width) throw new Error(`a row holds ${column + values.length} numbers`)
    values.forEach((value, i) => this.columns.fill(value, (column + i) * this.rows, (column + i + 1) * this.rows))
  }
}
