import { type Entity, type FactValue, isEntity, valuesOf } from '../facts/entity.ts'

const article = /(?:Article|Posting|Report|Recipe|Question|HowTo|Podcast\w*|VideoObject|Review|CreativeWork|Course|Book|Dataset|Chapter)$/
const page = /(?:WebPage|Page)$/

/** The properties that metadata is made from. */
export const telling: ReadonlySet<string> = new Set(['author', 'creator', 'publisher', 'name', 'headline', 'mainEntity', 'datePublished', 'dateModified', 'dateCreated', 'uploadDate'])

/** The entities that the page is about, most specific first. */
export function subjects(entities: readonly Entity[]): { readonly articles: readonly Entity[]; readonly pages: readonly Entity[] } {
  const articles: Entity[] = []
  const pages: Entity[] = []
  for (const entity of entities.slice(0, 200)) {
    if (entity.types.some((type) => article.test(type))) articles.push(entity)
    else if (entity.types.some((type) => page.test(type))) {
      pages.push(entity)
      for (const main of valuesOf(entity, 'mainEntity')) if (isEntity(main) && main.types.some((type) => article.test(type))) articles.push(main)
    }
  }
  return { articles, pages }
}

/** The first text among the values of a property. */
export function textIn(entities: readonly Entity[], property: string): string | undefined {
  for (const entity of entities) for (const value of valuesOf(entity, property)) if (typeof value === 'string' && value !== '') return value
  return undefined
}

/** The names in values: texts as they are, and the names of people and organisations. */
export function namesOf(values: readonly FactValue[]): readonly string[] {
  return values.flatMap((value) => (typeof value === 'string' ? [value] : isEntity(value) ? valuesOf(value, 'name').filter((name) => typeof name === 'string') : []))
}
