import type { Call } from '../../domain/call.ts'
import type { Model, ModelAnswer } from '../../domain/model.ts'
import type { Ledger } from '../../domain/teams/ledger.ts'

/** A model whose tokens are counted for the payer. */
export function countedModel(model: Model, ledger: Pick<Ledger, 'addTokens'>, now: () => number): Model {
  async function counted<T>(answer: ModelAnswer<T>, call: Call): Promise<ModelAnswer<T>> {
    const { inputTokens, outputTokens } = answer.usage
    // An answer that was paid for is not lost because counting it failed.
    if (inputTokens + outputTokens > 0) await ledger.addTokens({ team: call.team, key: call.key }, inputTokens + outputTokens, now()).catch((error: unknown) => call.log('tokens-uncounted', { reason: String(error) }))
    return answer
  }
  return {
    ...model,
    complete: async (ask, call) => counted(await model.complete(ask, call), call),
    structured: async (ask, call) => counted(await model.structured(ask, call), call),
  }
}
