import type { ModelAnswer, ModelAsk, ModelUsage } from '../domain/model.ts'
import { usageSum } from '../domain/model.ts'
import type { Reply } from './exchange.ts'
import { jsonIn } from './json-text.ts'
import type { Rung } from './provider.ts'

/** Asks a model on that rung. */
export type AskOnRung = (rung: Rung, ask: ModelAsk & { readonly schema: object }) => Promise<Reply>

/** What models turned out to be able to do: the rung to start on, by model. */
export interface Known {
  of(model: string): Promise<Rung | undefined>
  note(model: string, rung: Rung): Promise<void>
}

export interface LadderOptions {
  readonly model: string
  readonly rungs: readonly Rung[]
  readonly known: Known
  readonly on: AskOnRung
}

/** A question that any model can answer on any rung that it has. */
const probe = {
  purpose: 'probe',
  system: 'Answer with one JSON object.',
  prompt: 'Answer with the JSON object {"ok": true}.',
  schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false },
}

/** The words that ask for JSON where nothing else does. */
function inWords<T extends ModelAsk & { readonly schema: object }>(ask: T, rung: Rung): T {
  if (rung === 'schema') return ask
  return { ...ask, system: `${ask.system}\n\nAnswer with one JSON value and nothing else: no explanation, no code fence. It must keep to this JSON Schema:\n${JSON.stringify(ask.schema)}` }
}

const again = '\n\nYour last answer was not valid JSON. Answer again, with the JSON value alone.'

/**
 * Asks for JSON on the best rung that the model has, and goes down where it is refused. Whether a refusal was of the rung or of this one
 * schema is told by a probe, whose outcome is kept.
 */
export async function structured(ask: ModelAsk & { readonly schema: object }, { model, rungs, known, on }: LadderOptions): Promise<ModelAnswer<unknown>> {
  const spent: ModelUsage[] = []
  const ended = (reply: Reply & { ok: false }): ModelAnswer<unknown> => ({ ok: false, fault: reply.fault, usage: usageSum(spent) })
  const said = async (rung: Rung, what: typeof ask): Promise<Reply> => {
    const reply = await on(rung, inWords(what, rung))
    spent.push(reply.usage)
    return reply
  }
  const start = Math.max(0, rungs.indexOf((await known.of(model)) ?? rungs[0] ?? 'prompt'))
  for (const [at, rung] of rungs.slice(start).entries()) {
    const below = rungs[start + at + 1]
    const reply = await said(rung, ask)
    if (reply.ok) {
      const found = jsonIn(reply.text)
      if (found !== null) return { ok: true, value: found.value, cut: reply.cut || found.cut, usage: usageSum(spent) }
      const second = await said(rung, { ...ask, prompt: ask.prompt + again })
      const better = second.ok ? jsonIn(second.text) : null
      if (second.ok && better !== null) return { ok: true, value: better.value, cut: second.cut || better.cut, usage: usageSum(spent) }
      if (!second.ok && !second.unfit) return ended(second)
      return { ok: false, fault: 'unusable', usage: usageSum(spent) }
    }
    if (!reply.unfit || below === undefined) return ended(reply)
    const tried = await said(rung, probe)
    if (!tried.ok && tried.unfit) await known.note(model, below)
    else if (!tried.ok) return ended(tried)
  }
  return { ok: false, fault: 'refused', usage: usageSum(spent) }
}
