/** A value that is made once: a step at a time, or all that is missing of it when it is asked for. */
export interface Stepwise<T> {
  /** Makes one more step; false when there was none left. */
  step(): boolean
  value(): T
}

/** Work that can be left at each `yield` and taken up later; it makes a value. */
export type Steps<T> = Generator<undefined, T>

/** Throws what a step threw whenever it is asked again: a generator that threw would seem to have made nothing. */
const broken = <T>(error: unknown): Pick<Steps<T>, 'next'> => ({
  next() {
    throw error
  },
})

/**
 * Begins with the first step. The generator function must not be made anew for each value: V8 keeps a map for each in its old
 * generation, with all that the function can see, until the next full collection.
 */
export function inSteps<T>(begin: () => Steps<T>): Stepwise<T> {
  let steps: Pick<Steps<T>, 'next'> | undefined
  let made: { readonly value: T } | undefined
  function step(): boolean {
    if (made !== undefined) return false
    steps ??= begin()
    try {
      const { done, value } = steps.next()
      if (done === true) {
        made = { value }
        steps = undefined
      }
    } catch (error) {
      steps = broken(error)
      throw error
    }
    return made === undefined
  }
  return {
    step,
    value() {
      while (made === undefined) step()
      return made.value
    },
  }
}

/** Makes all steps at once. */
export const atOnce = <T>(steps: Steps<T>): T => inSteps(() => steps).value()
