import type { Device } from './device.ts'

/** A brand in client hints. */
export interface Brand {
  readonly brand: string
  readonly version: string
}

/** Everything that identifies the browser: header, script properties and client hints. */
export interface Identity {
  readonly userAgent: string
  readonly platform: string
  readonly metadata: {
    readonly brands: readonly Brand[]
    readonly fullVersionList: readonly Brand[]
    readonly platform: string
    readonly platformVersion: string
    readonly architecture: string
    readonly bitness: string
    readonly model: string
    readonly mobile: boolean
    readonly wow64: boolean
    readonly formFactors: readonly string[]
  }
}

const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] as const
const fillers = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'] as const
const fillerVersions = ['8', '99', '24'] as const

/**
 * Three brands in Chromium's order, one of them invented and changing with the version (GREASE, User-Agent Client Hints
 * §6.2).
 */
function brands(major: number, version: string, pad: string): readonly Brand[] {
  const name = `Not${fillers[major % fillers.length] ?? ''}A${fillers[(major + 1) % fillers.length] ?? ''}Brand`
  const list: Brand[] = []
  const [filler = 0, chromium = 1, product = 2] = orders[major % orders.length] ?? []
  list[filler] = { brand: name, version: `${fillerVersions[major % fillerVersions.length] ?? ''}${pad}` }
  list[chromium] = { brand: 'Chromium', version }
  list[product] = { brand: 'Google Chrome', version }
  return list
}

/**
 * The identity of Chrome in this engine's version on a device. Version, features and hints agree, because the engine has
 * that version. `version` is the browser's own: `156.0.8078.79`, with or without a name before it.
 */
export function identity(version: string, device: Device): Identity {
  const full = /\d+(?:\.\d+)*/.exec(version)?.[0] ?? '0'
  const major = Number.parseInt(full, 10)
  return {
    userAgent: `Mozilla/5.0 (${device.system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 ${device.mobile ? 'Mobile ' : ''}Safari/537.36`,
    platform: device.platform,
    metadata: {
      brands: brands(major, String(major), ''),
      fullVersionList: brands(major, full, '.0.0.0'),
      ...device.hints,
      mobile: device.mobile,
      wow64: false,
      formFactors: [device.mobile ? 'Mobile' : 'Desktop'],
    },
  }
}
