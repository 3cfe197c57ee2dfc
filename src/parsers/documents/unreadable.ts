/** Why a document cannot be read, where its owner can act on it. `unknown`: it is of a kind that is not read here. */
export type DocumentProblem = 'encrypted' | 'broken' | 'too-large' | 'unknown'

/** The document cannot be read. */
export class UnreadableDocument extends Error {
  readonly problem: DocumentProblem

  constructor(problem: DocumentProblem, cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}
