import type { Rankable } from '../../domain/rank.ts'
import type { MapAnswer } from '../../spec/map.ts'

/** Links written without a pause. */
const chunk = 1_000

type Link = MapAnswer['links'][number]

const asLink = ({ url, title, description }: Rankable): Link => ({ url, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) })

/** The bytes of a `MapAnswer`, written piece by piece. */
export async function answerOf(answer: { readonly id: string; readonly links: readonly Rankable[]; readonly warning: string }, breathe: () => Promise<void>): Promise<Uint8Array> {
  const { id, links, warning } = answer
  const parts = [Buffer.from(`{"success":true,"id":${JSON.stringify(id)},"links":[`)]
  for (let at = 0; at < links.length; at += chunk) {
    if (at > 0) await breathe()
    const text = JSON.stringify(links.slice(at, at + chunk).map(asLink))
    parts.push(Buffer.from(`${at === 0 ? '' : ','}${text.slice(1, -1)}`))
  }
  parts.push(Buffer.from(`]${warning === '' ? '' : `,"warning":${JSON.stringify(warning)}`}}`))
  return Buffer.concat(parts)
}
