import type { Order } from '../../domain/capture.ts'
import { defaultCountry, placeOf } from '../../domain/places.ts'
import type { ContextOptions } from '../terms.ts'
import { type Device, deviceFor } from './device.ts'

/** What a context must be made with, and what each of its pages is told, for one visit. */
export interface ContextTerms {
  /**
   * Options for a new context. User agent and languages are not among them: the driver would set them without client hints and with one
   * language only, so `dress` tells each page.
   */
  readonly context: ContextOptions
  readonly device: Device
  /** Language tags, most wanted first. */
  readonly languages: readonly string[]
  /** A user agent of the caller's own. */
  readonly userAgent: string | undefined
  /** Whether a page that asks where its visitor is gets an answer: only where the caller chose a country. */
  readonly located: boolean
}

/** The terms of a visit: device, languages, clock and position of one place, so that whatever a page compares agrees. */
export function contextTerms(order: Order): ContextTerms {
  const device = deviceFor(order.mobile ?? false, order.screenshot?.viewport)
  const place = placeOf(order.country ?? defaultCountry)
  return {
    device,
    languages: order.languages,
    located: order.country !== undefined && place !== undefined,
    userAgent: Object.entries(order.headers).find(([name]) => name.toLowerCase() === 'user-agent')?.[1],
    context: {
      viewport: device.viewport,
      screen: device.screen,
      deviceScaleFactor: device.scale,
      isMobile: device.mobile,
      hasTouch: device.touchPoints > 0,
      ...(place === undefined ? {} : { timezoneId: place.timeZone, geolocation: { latitude: place.latitude, longitude: place.longitude, accuracy: 40 } }),
      ignoreHTTPSErrors: order.skipTlsVerification,
    },
  }
}
