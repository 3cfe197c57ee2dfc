import type { ModelAnswer, ModelAsk, ModelFault, ModelUsage } from '../domain/model.ts'
import { usageSum } from '../domain/model.ts'
import type { Reply } from './exchange.ts'
import { jsonIn } from './json-text.ts'
import type { Rung } from './provider.ts'

type StructuredAsk = ModelAsk & { readonly schema: object }

/** Asks a model on a rung. */
export type AskOnRung = (rung: Rung, ask: StructuredAsk) => Promise<Reply>

/** The known abilities of models: the rung to start on, by model. */
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

/** A question that any model can answer on any rung it supports. */
const probe = {
  purpose: 'probe',
  system: 'Answer with one JSON object.',
  prompt: 'Answer with the JSON object {"ok": true}.',
  schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false },
}

/** Adds the instruction to answer in JSON to the prompt, for rungs that do not enforce a schema. */
function inWords(ask: StructuredAsk, rung: Rung): StructuredAsk {
  if (rung === 'schema') return ask
  return { ...ask, system: `${ask.system}\n\nAnswer with one JSON value and nothing else: no explanation, no code fence. It must keep to this JSON Schema:\n${JSON.stringify(ask.schema)}` }
}

const again = '\n\nYour last answer was not valid JSON. Answer again, with the JSON value alone.'

/**
 * Asks for JSON on the best rung that the model supports, and goes down when a rung is refused. A probe tells whether the
 * server refuses the rung or only this schema. A refusal is noted once a lower rung succeeds, because a server may refuse
 * everything for a while.
 */
export async function structured(ask: StructuredAsk, { model, rungs, known, on }: LadderOptions): Promise<ModelAnswer<unknown>> {
  const spent: ModelUsage[] = []
  const said = async (rung: Rung, what: StructuredAsk): Promise<Reply> => {
    const reply = await on(rung, inWords(what, rung))
    spent.push(reply.usage)
    return reply
  }
  const ended = (fault: ModelFault): ModelAnswer<unknown> => ({ ok: false, fault, usage: usageSum(spent) })

  /** The JSON value in a reply; asks once more when it contains none. */
  async function read(first: Reply & { ok: true }, rung: Rung): Promise<ModelAnswer<unknown>> {
    const found = jsonIn(first.text)
    if (found !== null) return { ok: true, value: found.value, cut: first.cut || found.cut, usage: usageSum(spent) }
    const second = await said(rung, { ...ask, prompt: ask.prompt + again })
    if (!second.ok) return ended(second.unfit ? 'unusable' : second.fault)
    const better = jsonIn(second.text)
    return better === null ? ended('unusable') : { ok: true, value: better.value, cut: second.cut || better.cut, usage: usageSum(spent) }
  }

  const start = Math.max(0, rungs.indexOf((await known.of(model)) ?? rungs[0] ?? 'prompt'))
  let missing = true
  for (const [at, rung] of rungs.slice(start).entries()) {
    const below = rungs[start + at + 1]
    const reply = await said(rung, ask)
    if (reply.ok) {
      if (at > 0 && missing) await known.note(model, rung)
      return read(reply, rung)
    }
    if (reply.broke && below !== undefined) {
      const plain = await said('prompt', ask)
      return plain.ok ? read(plain, 'prompt') : ended(plain.fault)
    }
    if (!reply.unfit || below === undefined) return ended(reply.fault)
    const tried = await said(rung, probe)
    if (!tried.ok && !tried.unfit) return ended(tried.fault)
    missing &&= !tried.ok
  }
  return ended('refused')
}
