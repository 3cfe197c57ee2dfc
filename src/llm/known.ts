import type { Abilities } from '../domain/model.ts'
import type { Known } from './ladder.ts'
import type { Rung } from './provider.ts'

/** Servers learn new things: after so long what a model can do is found out anew. */
const keptMs = 30 * 86_400_000

const isRung = (text: string | null): text is Rung => text === 'schema' || text === 'object' || text === 'prompt'

export interface KnownOptions {
  /** Where it is kept over restarts; null where it is not. */
  readonly abilities: Abilities | null
  /** The server that the names of models are of. */
  readonly server: string
  readonly now: () => number
}

/** Remembers what models can do: in the process, and beyond it where there is a place for that. What cannot be kept or read is found out anew. */
export function knownModels({ abilities, server, now }: KnownOptions): Known {
  const known = new Map<string, Rung | undefined>()
  const keyOf = (model: string): string => `${server} ${model}`
  return {
    async of(model) {
      if (!known.has(model)) {
        const kept = (await abilities?.recall(keyOf(model), now() - keptMs).catch(() => null)) ?? null
        if (!known.has(model)) known.set(model, isRung(kept) ? kept : undefined)
      }
      return known.get(model)
    },
    async note(model, rung) {
      known.set(model, rung)
      await abilities?.note(keyOf(model), rung, now()).catch(() => undefined)
    },
  }
}
