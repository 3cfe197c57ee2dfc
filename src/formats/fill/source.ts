import { evidenceOf, type Evidence } from '../../content/evidence/index.ts'
import type { Facts } from '../../content/facts/index.ts'
import { once } from '../../lib/once.ts'
import type { Subject } from './subject.ts'

/** A page as it is matched to a schema. */
export interface Source {
  readonly facts: Facts
  readonly subject: Subject
  /** What a person sees of the page. */
  readonly seen: () => Evidence
  /** Whether what stands on the page outside of entities is about the thing at hand: not so of one entry of a list. */
  readonly whole: boolean
}

/** The source for a whole page. */
export function pageSource(facts: Facts, subject: Subject): Source {
  return { facts, subject, seen: once(() => evidenceOf(facts.layout.text.slice(0, 600_000), { texts: [facts.title], urls: [] })), whole: true }
}
