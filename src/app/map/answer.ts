import type { Rankable } from '../../domain/search/rank.ts'

/** Links written without a pause. */
const chunk = 1_000

/** The bytes of a `MapAnswer`, whose links are those of a `LinkList`, written piece by piece. */
export async function answerOf(answer: { readonly id: string; readonly links: readonly Rankable[]; readonly warning: string }, breathe: () => Promise<void>): Promise<Uint8Array> {
  const { id, links, warning } = answer
  const parts = [Buffer.from(`{"success":true,"id":${JSON.stringify(id)},"links":[`)]
  for (let at = 0; at < links.length; at += chunk) {
    if (at > 0) await breathe()
    const text = JSON.stringify(links.slice(at, at + chunk))
    parts.push(Buffer.from(`${at === 0 ? '' : ','}${text.slice(1, -1)}`))
  }
  parts.push(Buffer.from(`]${warning === '' ? '' : `,"warning":${JSON.stringify(warning)}`}}`))
  return Buffer.concat(parts)
}
