import type { ScrapeRequest } from '../../spec/scrape.ts'

/**
 * The language tags for a request: those given, otherwise those of the country, with English last (contract §2, location).
 */
export function languagesOf(location: ScrapeRequest['location']): readonly string[] {
  if (location?.languages !== undefined && location.languages.length > 0) return location.languages
  const country = location?.country ?? 'US'
  const language = languageOf(country)
  const own = [`${language}-${country}`, language]
  return language === 'en' ? own : [...own, 'en']
}

/** Building a locale takes longer than any other part of a plan, and nearly all pages use the same one. */
const languages = new Map<string, string>()
const mostKnown = 1_000

function languageOf(country: string): string {
  const known = languages.get(country)
  if (known !== undefined) return known
  const language = new Intl.Locale(`und-${country}`).maximize().language
  if (languages.size < mostKnown) languages.set(country, language)
  return language
}
