import { type Entity, type FactValue, isEntity, isOf, valuesOf } from '../../content/facts/entity.ts'
import type { Facts } from '../../content/facts/index.ts'
import { plainText, related } from './names.ts'

/** Types that occur on pages about anything. */
const auxiliary: ReadonlySet<string> = new Set([
  'WebSite', 'WebPage', 'CollectionPage', 'ItemPage', 'AboutPage', 'ContactPage', 'FAQPage', 'BreadcrumbList', 'ListItem', 'ItemList', 'SearchAction', 'ReadAction', 'EntryPoint', 'ImageObject',
  'SiteNavigationElement', 'WPHeader', 'WPFooter', 'WPSideBar', 'Rating', 'AggregateRating', 'Offer', 'AggregateOffer', 'Review', 'PostalAddress', 'ContactPoint', 'Brand', 'Comment',
  'SpeakableSpecification', 'CreativeWork', 'Blog', 'OfferShippingDetails', 'MerchantReturnPolicy', 'ProfilePage', 'QAPage', 'SearchResultsPage', 'MobileApplication', 'Question', 'Answer',
])
const parties: ReadonlySet<string> = new Set(['Organization', 'Corporation', 'LocalBusiness', 'OnlineStore', 'Store', 'Person', 'NewsMediaOrganization', 'EducationalOrganization', 'ProfessionalService', 'GovernmentOrganization', 'Restaurant', 'NGO'])
const pages: ReadonlySet<string> = new Set(['WebPage', 'ItemPage', 'CollectionPage', 'AboutPage', 'ContactPage'])
const withSubject: ReadonlySet<string> = new Set([...pages, 'QAPage', 'ProfilePage', 'FAQPage'])

/** What and whom a page is about, as far as that is certain. */
export interface Subject {
  /**
   * The single thing that the page is about, as each source describes it, best first; empty when there are several or none.
   */
  readonly main: readonly Entity[]
  /** The page itself, not the things on it. */
  readonly page: readonly Entity[]
  /** The organization behind the page. */
  readonly organization: readonly Entity[]
}

const nameOf = (entity: Entity): string => {
  const [name] = [...valuesOf(entity, 'headline'), ...valuesOf(entity, 'name')]
  return typeof name === 'string' ? plainText(name) : ''
}

const bareUrl = (url: string): string => url.replace(/^https?:\/\/(www\.)?/, '').replace(/[?#].*$/, '').replace(/\/+$/, '').toLowerCase()

function pointsHere(entity: Entity, { url, canonical }: Facts): boolean {
  const here = new Set([url, canonical ?? url].map(bareUrl))
  const named: readonly FactValue[] = [...valuesOf(entity, 'url'), ...valuesOf(entity, 'mainEntityOfPage'), ...(entity.id === null ? [] : [entity.id])]
  return named.some((value) => {
    const text = isEntity(value) ? value.id : value
    return typeof text === 'string' && /^https?:/.test(text) && here.has(bareUrl(text))
  })
}

/** What the markup declares as the subject of the page. */
const declared = (entities: readonly Entity[]): readonly Entity[] => entities.filter((entity) => isOf(entity, withSubject)).flatMap((entity) => valuesOf(entity, 'mainEntity').filter(isEntity)).filter((entity) => entity.props.size > 1)

const media: ReadonlySet<string> = new Set(['VideoObject', 'AudioObject', 'PodcastEpisode', 'ImageGallery', 'Clip'])

/**
 * Whether a page's titles match an entity's name. Media needs its exact name: an article has a name of its own, and a video
 * in it often a similar one.
 */
function isCalledSo(name: string, titles: readonly string[], isMedia: boolean): boolean {
  return titles.length === 0 || titles.some((title) => plainText(title).includes(name) || (!isMedia && (related(name, title) || name.includes(plainText(title)))))
}

/**
 * The entities that describe one thing: all candidates when they share a name that fits the page's titles; otherwise those
 * named like the heading, or that point to this page.
 */
function chosen(candidates: readonly Entity[], facts: Facts): readonly Entity[] {
  const titles = [...facts.layout.headings, facts.title, ...(facts.meta.props.get('ogTitle') ?? []).map(String)].filter((title) => plainText(title) !== '').slice(0, 50)
  const names = new Set(candidates.map(nameOf).filter((name) => name !== ''))
  // Several nameless things are entries of a list.
  const nameless = candidates.filter((entity) => nameOf(entity) === '')
  const [name = ''] = names
  const isCalled = [false, true].map((isMedia) => isCalledSo(name, titles, isMedia))
  if (names.size <= 1) return candidates.filter((entity) => pointsHere(entity, facts) || (nameOf(entity) === '' ? nameless.length === 1 : isCalled[isOf(entity, media) ? 1 : 0] === true))
  const headings = new Set([...facts.layout.headings, facts.title].map(plainText))
  const headed = candidates.filter((entity) => headings.has(nameOf(entity)))
  const here = headed.length > 0 ? headed : candidates.filter((entity) => pointsHere(entity, facts))
  const [first] = here
  // Headings of several things are those of a list.
  return first !== undefined && new Set(here.map(nameOf)).size === 1 ? candidates.filter((entity) => nameOf(entity) === nameOf(first)) : []
}

/** Finds the subject of a page among the things in its structured data. */
export function subjectOf(facts: Facts): Subject {
  const { entities } = facts
  const said = declared(entities)
  const candidates = said.length > 0 && said.every((entity) => nameOf(entity) === nameOf(said[0] ?? entity)) ? said : entities.filter((entity) => !isOf(entity, auxiliary) && !isOf(entity, parties))
  const main = chosen(candidates, facts)
  const organization = [...main.flatMap((entity) => valuesOf(entity, 'publisher').filter(isEntity)), ...entities.filter((entity) => isOf(entity, parties) && !entity.types.includes('Person'))]
  return { main, page: entities.filter((entity) => isOf(entity, pages)), organization }
}
