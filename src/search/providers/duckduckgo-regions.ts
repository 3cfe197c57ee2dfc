import type { ProviderRequest } from '../../domain/search/search.ts'

/** The regions that DuckDuckGo knows for certain, each a country and a language in its terms; of a country, the usual language first. Any other is ignored without a word. */
const regions = 'ar-es at-de au-en be-nl be-fr bg-bg br-pt ca-en ca-fr ch-de ch-fr ch-it cl-es cn-zh co-es cz-cs de-de dk-da ee-et es-es fi-fi fr-fr gr-el hk-tzh hr-hr hu-hu id-id id-en ie-en il-he in-en it-it jp-jp kr-kr lt-lt lv-lv mx-es my-ms my-en nl-nl no-no nz-en pe-es ph-en ph-tl pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk sl-sl th-th tr-tr tw-tzh ua-uk uk-en us-en ve-es vn-vi za-en'.split(' ')
const countries: Readonly<Record<string, string>> = { GB: 'uk', SI: 'sl' }
const languages: Readonly<Record<string, string>> = { ja: 'jp', ko: 'kr', nb: 'no', nn: 'no' }

type Places = Pick<ProviderRequest, 'country' | 'countryGiven' | 'language'>

/** The region to ask for a language, where the country does not matter: of the country that it names, of its own, or of any. */
function homeOf(language: string, names: readonly string[]): string | undefined {
  const country = language.split('-')[1]?.toUpperCase() ?? ''
  const spoken = regions.filter((one) => names.some((name) => one.endsWith(`-${name}`)))
  return [countries[country] ?? country.toLowerCase(), ...names].map((start) => spoken.find((one) => one.startsWith(`${start}-`))).find((one) => one !== undefined) ?? spoken[0]
}

/** The region for a country and a language, and which of the two it stands for: a country's usual language takes the place of one that it does not have there, unless nobody chose the country. */
export function regionOf({ country, countryGiven, language }: Places): { readonly name: string | null; readonly country: boolean; readonly language: boolean } {
  const own = country === null ? [] : regions.filter((one) => one.startsWith(`${countries[country] ?? country.toLowerCase()}-`))
  const base = language?.split('-', 1)[0] ?? ''
  const wanted = base === 'zh' ? ['zh', 'tzh'] : [languages[base] ?? base]
  const exact = own.find((one) => wanted.some((name) => one.endsWith(`-${name}`)))
  const home = exact === undefined && country !== null && countryGiven === false && language !== null ? homeOf(language, wanted) : undefined
  return { name: exact ?? home ?? own[0] ?? null, country: country === null || own.length > 0, language: language === null || (exact ?? home) !== undefined }
}
