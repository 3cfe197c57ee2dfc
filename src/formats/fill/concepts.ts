import { keyOf } from './words.ts'

/** A meaning that a property can have, and where structured data says it. */
export interface Concept {
  readonly name: string
  /** The names and labels that schemas and pages use for it. */
  readonly called: readonly string[]
  /** Paths of properties that lead to it, best first. */
  readonly paths: readonly (readonly string[])[]
  /** Properties of the page's `meta` entity. */
  readonly meta?: readonly string[]
  /** Whether it only counts when a person sees it on the page, too. */
  readonly seen?: true
  /** Whether `WebPage` and `Organization`, which are on every page, may say it. */
  readonly of?: 'organization'
}

const path = (text: string): readonly string[] => text.split('.')
const concept = (name: string, called: string, paths: string, more: Partial<Concept> = {}): Concept => ({
  name,
  called: called.split('|').map(keyOf),
  paths: paths === '' ? [] : paths.split('|').map(path),
  ...more,
})

/** The order matters when two concepts share a name: the first one counts. */
const concepts: readonly Concept[] = [
  concept('title', 'title|name|headline|heading|h1|question title|subject', 'headline|name'),
  concept('organization', 'company name|company|organization name|organization|organisation|business name|site name|website name|publisher|publisher name|publication|website', 'hiringOrganization.name|publisher.name|hiringOrganization|name', { meta: ['siteName'], of: 'organization', seen: true }),
  concept('description', 'description|short description|meta description|abstract|excerpt', 'description|abstract', { meta: ['description'] }),
  concept('price', 'price|current price|sale price|selling price|offer price|cost|price amount|unit price', ''),
  concept('currency', 'currency|price currency|currency code', ''),
  concept('availability', 'availability|stock status|availability status|stock', ''),
  concept('inStock', 'in stock|is in stock|available|is available|instock', ''),
  concept('brand', 'brand|brand name|manufacturer|make', 'brand.name|brand|manufacturer.name|manufacturer', { meta: ['brand'], seen: true }),
  concept('sku', 'sku|product id|item id|article number|product code|item number|product number|item no|article no|stock keeping unit', 'sku|productID', { meta: ['sku'], seen: true }),
  concept('mpn', 'mpn|manufacturer part number|part number', 'mpn', { seen: true }),
  concept('gtin', 'gtin|ean|upc|barcode|gtin13|gtin12', 'gtin13|gtin12|gtin14|gtin8|gtin'),
  concept('isbn', 'isbn|isbn13|isbn 13', 'isbn', { meta: ['isbn'] }),
  concept('model', 'model|model number|model name', 'model.name|model', { seen: true }),
  concept('condition', 'condition|item condition', ''),
  concept('rating', 'rating|average rating|rating value|star|score|review score|star rating|review rating|overall rating', 'aggregateRating.ratingValue', { seen: true }),
  concept('reviewCount', 'review count|number of reviews|rating count|num reviews|total reviews|ratings count|number of ratings|reviews', 'aggregateRating.reviewCount|aggregateRating.ratingCount', { seen: true }),
  concept('image', 'image|image url|photo|picture|thumbnail|main image|cover image|featured image|thumbnail url', 'image.url|image.contentUrl|image|thumbnailUrl', { meta: ['image'] }),
  concept('url', 'url|link|canonical url|page url|permalink|href', 'url'),
  concept('author', 'author|author name|written by|byline|posted by|creator|writer|poster|original poster|asked by|user|username', 'author|creator', { meta: ['author'], seen: true }),
  concept('datePublished', 'date published|published|publish date|published date|publication date|published at|published on|date posted|post date|posted|posted on|posted at|date|created|created at|date created|publish time', 'datePublished|datePosted|uploadDate|dateCreated', { meta: ['datePublished'] }),
  concept('dateModified', 'date modified|modified|updated|last updated|updated at|modified date|last modified|date updated', 'dateModified', { meta: ['dateModified'] }),
  concept('section', 'category|section|article section', 'articleSection|category', { meta: ['articleSection'] }),
  concept('tags', 'tag|keyword', 'keywords', { meta: ['keywords'] }),
  concept('language', 'language|lang|locale', 'inLanguage'),
  concept('phone', 'phone|telephone|phone number|tel|contact number|contact phone|telephone number', 'telephone|contactPoint.telephone', { of: 'organization', seen: true }),
  concept('email', 'email|e mail|email address|contact email', 'email|contactPoint.email', { of: 'organization', seen: true }),
  concept('street', 'street|street address', 'address.streetAddress|location.address.streetAddress', { of: 'organization', seen: true }),
  concept('city', 'city|locality|town', 'address.addressLocality|location.address.addressLocality|jobLocation.address.addressLocality', { of: 'organization', seen: true }),
  concept('region', 'state|region|province', 'address.addressRegion|location.address.addressRegion|jobLocation.address.addressRegion', { of: 'organization', seen: true }),
  concept('postalCode', 'zip|postal code|zip code|postcode', 'address.postalCode|location.address.postalCode', { of: 'organization', seen: true }),
  concept('address', 'address|full address|postal address', 'address', { of: 'organization', seen: true }),
  concept('venue', 'venue|venue name|location name', 'location.name'),
  concept('ingredients', 'ingredient', 'recipeIngredient|ingredients'),
  concept('instructions', 'instruction|step|direction|method', 'recipeInstructions.text|recipeInstructions.itemListElement.text|recipeInstructions'),
  concept('servings', 'serving|yield', 'recipeYield'),
  concept('duration', 'duration|length', 'duration'),
  concept('question', 'question', 'name'),
  concept('answer', 'answer|accepted answer', 'acceptedAnswer.text|suggestedAnswer.text|text'),
  concept('salary', 'salary|base salary', ''),
]

const byCall: ReadonlyMap<string, Concept> = new Map([...concepts].reverse().flatMap((one) => one.called.map((call): [string, Concept] => [call, one])))

/** The concept with that name; undefined when there is none. */
export function conceptOf(key: string): Concept | undefined {
  return byCall.get(key)
}

/** The types of things by the singular of a property's name. */
export const typesCalled: Readonly<Record<string, readonly string[]>> = {
  product: ['Product', 'ProductGroup', 'IndividualProduct'],
  item: ['Product', 'ProductGroup'],
  article: ['Article', 'NewsArticle', 'BlogPosting', 'TechArticle', 'Report', 'ScholarlyArticle'],
  post: ['BlogPosting', 'Article', 'NewsArticle', 'DiscussionForumPosting', 'SocialMediaPosting'],
  story: ['NewsArticle', 'Article'],
  event: ['Event', 'MusicEvent', 'BusinessEvent', 'SportsEvent', 'Festival', 'EducationEvent', 'TheaterEvent'],
  job: ['JobPosting'],
  review: ['Review', 'UserReview', 'CriticReview'],
  faq: ['Question'],
  question: ['Question'],
  recipe: ['Recipe'],
  course: ['Course'],
  video: ['VideoObject'],
  book: ['Book'],
  movie: ['Movie'],
  offer: ['Offer', 'AggregateOffer'],
  person: ['Person'],
  comment: ['Comment', 'Answer'],
  answer: ['Answer'],
}
