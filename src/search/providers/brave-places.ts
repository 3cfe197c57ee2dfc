/** Brave takes these countries and languages only, by names of its own: others are refused with the whole search. */
const countries = new Set('AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(' '))
const languages = new Set(
  'ar eu bn bg ca zh-hans zh-hant hr cs da nl en en-gb et fi fr gl de el gu he hi hu is it jp kn ko lv lt ms ml mr nb pl pt-br pt-pt pa ro ru sr sk sl es sv ta te th tr uk vi'.split(' '),
)
/** Its names of languages whose code it does not take; with the country where it has one for each. */
const others: Readonly<Record<string, string>> = { ja: 'jp', no: 'nb', nn: 'nb', pt: 'pt-pt', 'pt-br': 'pt-br', zh: 'zh-hans', 'zh-tw': 'zh-hant', 'zh-hk': 'zh-hant', 'zh-mo': 'zh-hant' }

/** The country in its terms; null if it takes none such. */
export const braveCountry = (country: string): string | null => (countries.has(country) ? country : null)

/** The language in its terms, of the country where that matters; null if it takes none such. */
export function braveLanguage(language: string, country: string | null): string | null {
  const [base = '', region = country ?? ''] = language.toLowerCase().split('-')
  const exact = `${base}-${region.toLowerCase()}`
  const name = language.includes('-') && languages.has(exact) ? exact : (others[exact] ?? others[base] ?? base)
  return languages.has(name) ? name : null
}
