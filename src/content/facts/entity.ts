import { remembered } from '../../lib/remembered.ts'
import { parse } from '../html/parse.ts'
import { oneLine, textOf } from '../html/tree.ts'

/** Where on a page a fact was found, best first. */
export type FactSource = 'json-ld' | 'microdata' | 'rdfa' | 'meta' | 'state' | 'label' | 'table' | 'page'

export type FactValue = string | number | boolean | Entity

/** A thing described in a page's structured data. Names of types and properties have no vocabulary prefix. */
export interface Entity {
  readonly types: readonly string[]
  readonly id: string | null
  readonly source: FactSource
  readonly props: ReadonlyMap<string, readonly FactValue[]>
}

export const isEntity = (value: FactValue | undefined): value is Entity => typeof value === 'object'

const maxText = 20_000

/** What a character reference stands for; itself, if that is none that ends in a semicolon. */
const characterOf = remembered((reference): string => {
  const said = textOf(parse(reference).document)
  return said.endsWith(';') && said !== ';' ? reference : said
})

/** A text of structured data as a reader would see it, without the tags and character references that sites leave in. */
export function cleanText(text: string): string {
  const cut = text.slice(0, maxText)
  const bare = /<[a-z/!]/i.test(cut) ? cut.replace(/<[^<>]{1,2000}>/g, ' ') : cut
  return oneLine(bare.replace(/&#?\w{1,31};/g, characterOf))
}

/** The last part of a type or property name: `Product` for `https://schema.org/Product` and `schema:Product`. */
export function localName(name: string): string {
  return name.trim().replace(/[/#]+$/, '').split(/[/#:]/).at(-1) ?? ''
}

/** The values of a property; empty when the entity does not have it. */
export function valuesOf(entity: Entity, name: string): readonly FactValue[] {
  return entity.props.get(name) ?? []
}

/** The values at the end of a path of properties, through lists and entities. */
export function follow(entity: Entity, path: readonly string[]): readonly FactValue[] {
  return path.reduce<readonly FactValue[]>((values, name) => values.flatMap((value) => (isEntity(value) ? valuesOf(value, name) : [])), [entity])
}

/** Whether an entity has one of these types. */
export function isOf(entity: Entity, types: ReadonlySet<string>): boolean {
  return entity.types.some((type) => types.has(type))
}
