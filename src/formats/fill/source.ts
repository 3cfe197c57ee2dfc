import { evidenceOf, type Evidence } from '../../content/evidence/index.ts'
import type { FactSource, FactValue } from '../../content/facts/entity.ts'
import type { Facts } from '../../content/facts/index.ts'
import { once } from '../../lib/once.ts'
import type { Subject } from './subject.ts'
import { bareKey, keyOf } from './words.ts'

/** A possible value of a property, and where it comes from. */
export interface Candidate {
  readonly value: FactValue
  readonly source: FactSource
}

/** A page, as it is matched with a schema. */
export interface Source {
  readonly facts: Facts
  readonly subject: Subject
  /** The visible text of the page. */
  readonly seen: () => Evidence
  /** Whether the text outside of entities is about the thing: not for a single entry of a list. */
  readonly whole: boolean
  /** Values by normalised label. */
  readonly labels: () => ReadonlyMap<string, readonly string[]>
}

function labelsOf({ layout }: Facts): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { label, value } of layout.labels) {
    for (const key of new Set([keyOf(label), bareKey(label)])) found.set(key, [...(found.get(key) ?? []).slice(0, 20), value])
  }
  return found
}

/** The source for a whole page. */
export function pageSource(facts: Facts, subject: Subject): Source {
  return { facts, subject, seen: once(() => evidenceOf(facts.layout.text.slice(0, 600_000), { texts: [facts.title], urls: [] })), whole: true, labels: once(() => labelsOf(facts)) }
}
