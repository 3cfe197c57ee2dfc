import type { CDPSession } from 'playwright-core'
import type { ContextTerms } from './terms.ts'
import { missingParts } from './missing-parts.ts'
import { identity } from './user-agent.ts'
import { dressWorkers } from './workers.ts'

/**
 * Tells a fresh page, before its first navigation, who it is: user agent, client hints, languages, touch, cores. `version` is the engine's.
 * A caller's own user agent replaces ours, and the hints that would contradict it are left out.
 */
export async function dress(cdp: CDPSession, terms: ContextTerms, version: string): Promise<void> {
  const { userAgent, platform, metadata } = identity(version, terms.device)
  const { device, userAgent: own } = terms
  const languages = acceptLanguages(terms.languages)
  const brandLists = { brands: metadata.brands.map((one) => ({ ...one })), fullVersionList: metadata.fullVersionList.map((one) => ({ ...one })) }
  await Promise.all([
    cdp.send('Emulation.setUserAgentOverride', {
      userAgent: own ?? userAgent,
      acceptLanguage: languages.join(','),
      platform,
      ...(own === undefined ? { userAgentMetadata: { ...metadata, ...brandLists, formFactors: [...metadata.formFactors] } } : {}),
    }),
    cdp.send('Emulation.setLocaleOverride', { locale: languages[0] ?? 'en-US' }),
    device.touchPoints === 0 ? null : cdp.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: device.touchPoints }),
    device.cores === undefined ? null : cdp.send('Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: device.cores }),
    terms.located ? allowPosition(cdp) : null,
    cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: missingParts(device) }),
    dressWorkers(cdp, { languages, platform, cores: device.cores }),
  ])
}

/** The driver's own way would deny every other permission, which no visitor does. */
async function allowPosition(cdp: CDPSession): Promise<void> {
  const { browserContextId } = (await cdp.send('Target.getTargetInfo')).targetInfo
  await cdp.send('Browser.setPermission', { permission: { name: 'geolocation' }, setting: 'granted', ...(browserContextId === undefined ? {} : { browserContextId }) })
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
