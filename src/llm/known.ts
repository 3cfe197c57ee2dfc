import type { Abilities } from '../domain/model.ts'
import type { Known } from './ladder.ts'
import type { Rung } from './provider.ts'

/** Servers are upgraded: after this time, the abilities of a model are tested again. */
const keptMs = 30 * 86_400_000

const isRung = (text: string | null): text is Rung => text === 'schema' || text === 'object' || text === 'prompt'

export interface KnownOptions {
  /** Keeps abilities over restarts; null when nothing does. */
  readonly abilities: Abilities | null
  /** The server that the model names belong to. */
  readonly server: string
  readonly now: () => number
}

/**
 * Remembers the abilities of models, in the process and, if possible, over restarts. What cannot be stored or read is
 * tested again.
 */
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
