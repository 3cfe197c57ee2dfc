/** Why a document cannot be read, if its owner can act on it. `unknown`: its kind is not supported. */
export type DocumentProblem = 'encrypted' | 'broken' | 'too-large' | 'unknown'

/** A document that cannot be read. */
export class UnreadableDocument extends Error {
  readonly problem: DocumentProblem

  constructor(problem: DocumentProblem, cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}
