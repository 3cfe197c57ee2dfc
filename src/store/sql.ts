/** What both databases take as a parameter and give as a column. Booleans are 0 and 1, times are integer milliseconds. */
export type Value = string | number | null | Uint8Array

/** The two dialects that every statement can be rendered in. */
export type Dialect = 'sqlite' | 'postgres'

/** A statement, or a piece of one: text around parameters and other pieces. */
export interface Sql {
  readonly texts: readonly string[]
  readonly parts: readonly (Value | Sql | Either)[]
}

/** A piece that the two databases spell differently. */
export interface Either {
  readonly sqlite: Sql
  readonly postgres: Sql
}

/** A statement as a driver takes it. */
export interface Rendered {
  readonly text: string
  readonly values: readonly Value[]
}

/** Collects a statement; whatever stands in `${}` becomes a parameter, unless it is a piece of a statement itself. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Value | Sql | Either)[]): Sql {
  return { texts, parts }
}

/** The few places where the databases differ; an empty statement is not run at all. */
export function either(pieces: Either): Either {
  return pieces
}

/** Values as a parenthesised list for `in`; an empty list matches nothing. */
export function list(values: readonly Value[]): Sql {
  if (values.length === 0) return sql`(null)`
  return { texts: ['(', ...values.slice(1).map(() => ', '), ')'], parts: values }
}

/** The texts of statements without pieces: the same for each run of the line that has them. */
const known: Readonly<Record<Dialect, WeakMap<readonly string[], string>>> = { sqlite: new WeakMap(), postgres: new WeakMap() }

/** Writes a statement in one dialect: numbered parameters for Postgres, question marks for SQLite. */
export function render(statement: Sql, dialect: Dialect): Rendered {
  const values: Value[] = []
  const isPlain = !statement.parts.some(isPiece)
  const before = isPlain ? known[dialect].get(statement.texts) : undefined
  if (before !== undefined) {
    for (const part of statement.parts) writePart(part, dialect, values)
    return { text: before, values }
  }
  const text = write(statement, dialect, values).trim()
  if (isPlain) known[dialect].set(statement.texts, text)
  return { text, values }
}

function isPiece(part: Value | Sql | Either): part is Sql | Either {
  return typeof part === 'object' && part !== null && !(part instanceof Uint8Array)
}

function write(statement: Sql, dialect: Dialect, values: Value[]): string {
  let text = statement.texts[0] ?? ''
  statement.parts.forEach((part, i) => {
    text += writePart(part, dialect, values) + (statement.texts[i + 1] ?? '')
  })
  return text
}

function writePart(part: Value | Sql | Either, dialect: Dialect, values: Value[]): string {
  if (isPiece(part)) return write('texts' in part ? part : part[dialect], dialect, values)
  // Postgres cannot hold NUL in text; refused for both, so that the two never differ.
  if (typeof part === 'string' && part.includes('\0')) throw new Error('Text that contains a NUL character cannot be stored.')
  values.push(part)
  return dialect === 'postgres' ? `$${values.length}` : '?'
}
