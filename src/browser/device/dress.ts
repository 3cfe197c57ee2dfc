import type { Page } from 'playwright-core'
import { browserLanguages } from '../../lib/browser-languages.ts'
import type { Command } from '../protocol/asking.ts'
import type { PageSession, Session } from '../protocol/page-session.ts'
import type { Outfit, Wire } from '../protocol/wire.ts'
import { missingParts } from './missing-parts.ts'
import type { ContextTerms } from './terms.ts'
import { identity } from './user-agent.ts'
import { workerScript } from './workers.ts'

/** How to reach a fresh page and the targets that it creates. */
interface Fresh {
  readonly page: Page
  readonly cdp: PageSession
  readonly wire: Pick<Wire, 'dress'>
}

/**
 * Sets the identity of a fresh page before its first navigation (user agent, client hints, languages, touch, cores), and
 * that of the targets it creates. The caller's own user agent replaces ours; client hints that would contradict it are
 * omitted.
 */
export async function dress({ page, cdp, wire }: Fresh, terms: ContextTerms): Promise<void> {
  const { documents, workers } = outfitFor(terms, page.context().browser()?.version() ?? '')
  const isDressed = wire.dress(cdp.contextId, { documents, workers }, cdp.targetId)
  const told = (isDressed ? [] : documents).map(({ method, params }) => cdp.send(method as 'Emulation.setUserAgentOverride', params as never)) // as the protocol types them
  await Promise.all([...told, terms.located ? allowPosition(cdp, cdp.contextId) : null])
}

/** The commands that documents and workers of a visit get. */
export function outfitFor(terms: ContextTerms, version: string): Outfit {
  const { userAgent, platform, metadata } = identity(version, terms.device)
  const { device, userAgent: own } = terms
  const languages = browserLanguages(terms.languages)
  const agent: Command = {
    method: 'Emulation.setUserAgentOverride',
    params: { userAgent: own ?? userAgent, acceptLanguage: languages.join(','), platform, ...(own === undefined ? { userAgentMetadata: metadata } : {}) },
  }
  const cores: readonly Command[] = device.cores === undefined ? [] : [{ method: 'Emulation.setHardwareConcurrencyOverride', params: { hardwareConcurrency: device.cores } }]
  const touch: readonly Command[] = device.touchPoints === 0 ? [] : [{ method: 'Emulation.setTouchEmulationEnabled', params: { enabled: true, maxTouchPoints: device.touchPoints } }]
  return {
    documents: [
      agent,
      ...cores,
      ...touch,
      { method: 'Emulation.setLocaleOverride', params: { locale: languages[0] ?? 'en-US' } },
      { method: 'Page.addScriptToEvaluateOnNewDocument', params: { source: missingParts(device), runImmediately: true } },
    ],
    workers: [agent, ...cores, { method: 'Runtime.evaluate', params: { expression: workerScript({ userAgent: own ?? userAgent, languages, platform, cores: device.cores }) } }],
  }
}

/** Lets pages know the position. The driver's own method would deny all other permissions, which no regular browser does. */
export async function allowPosition(cdp: Session, context: string | undefined): Promise<void> {
  await cdp.send('Browser.setPermission', { permission: { name: 'geolocation' }, setting: 'granted', ...(context === undefined ? {} : { browserContextId: context }) })
}
