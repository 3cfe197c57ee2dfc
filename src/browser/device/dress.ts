import type { CDPSession } from 'playwright-core'
import type { ContextTerms } from './terms.ts'
import { identity } from './user-agent.ts'

/**
 * Tells a fresh page, before its first navigation, who it is: user agent, client hints, languages, touch. `version` is the engine's.
 * A caller's own user agent replaces ours, and the hints that would contradict it are left out.
 */
export async function dress(cdp: CDPSession, terms: ContextTerms, version: string): Promise<void> {
  const { userAgent, platform, metadata } = identity(version, terms.device)
  const own = terms.userAgent
  const brandLists = { brands: metadata.brands.map((one) => ({ ...one })), fullVersionList: metadata.fullVersionList.map((one) => ({ ...one })) }
  await Promise.all([
    cdp.send('Emulation.setUserAgentOverride', {
      userAgent: own ?? userAgent,
      acceptLanguage: acceptLanguages(terms.languages).join(','),
      platform,
      ...(own === undefined ? { userAgentMetadata: { ...metadata, ...brandLists, formFactors: [...metadata.formFactors] } } : {}),
    }),
    cdp.send('Emulation.setLocaleOverride', { locale: (terms.languages[0] ?? 'en-US').replaceAll('-', '_') }),
    terms.device.touchPoints === 0 ? null : cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: terms.device.touchPoints }),
  ])
}

/** Languages as the browser lists them: the base language after the last of its regions. The engine adds the weights to the header. */
function acceptLanguages(languages: readonly string[]): readonly string[] {
  const tags: string[] = []
  languages.forEach((tag, at) => {
    tags.push(tag)
    const base = tag.split('-', 1)[0] ?? tag
    if (base !== tag && languages[at + 1]?.split('-', 1)[0] !== base) tags.push(base)
  })
  return [...new Set(tags)].slice(0, 10)
}
