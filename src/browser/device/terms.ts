import type { Order } from '../../domain/pages/capture.ts'
import { defaultCountry, placeOf } from '../../domain/fetching/places.ts'
import type { ContextOptions } from '../terms.ts'
import { type Device, deviceFor } from './device.ts'

/** How a context is created for a visit, and what each of its pages is told. */
export interface ContextTerms {
  /**
   * Options for a new context, without user agent and languages: the driver would set them without client hints and with a
   * single language, so `dress` sets them for each page.
   */
  readonly context: ContextOptions
  readonly device: Device
  /** Language tags, most preferred first. */
  readonly languages: readonly string[]
  /** The caller's own user agent. */
  readonly userAgent: string | undefined
  /** Whether pages that ask for the visitor's position get one: only when the caller chose a country. */
  readonly located: boolean
}

/** The terms of a visit: device, languages, time zone and position all belong to the same place. */
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
