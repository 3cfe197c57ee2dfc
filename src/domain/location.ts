import type { ScrapeRequest } from '../spec/scrape.ts'

/** Language tags to ask a site for: those given, else those of the country, English last (contract §2, location). */
export function languagesOf(location: ScrapeRequest['location']): readonly string[] {
  if (location?.languages !== undefined && location.languages.length > 0) return location.languages
  const country = location?.country ?? 'US'
  const language = new Intl.Locale(`und-${country}`).maximize().language
  const own = [`${language}-${country}`, language]
  return language === 'en' ? own : [...own, 'en']
}
