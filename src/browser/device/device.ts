/** What a page can find out about the device that shows it. */
export interface Device {
  readonly viewport: Size
  readonly screen: Size
  readonly scale: number
  readonly mobile: boolean
  /** Number of touch points; 0 without a touch screen. */
  readonly touchPoints: number
  /** Processor cores that scripts see; undefined for those of this machine. */
  readonly cores: number | undefined
  /** `navigator.platform`. */
  readonly platform: string
  /** The part of the user agent in the first parentheses. */
  readonly system: string
  readonly hints: Hints
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** The device's client hints (User-Agent Client Hints, WICG). */
export interface Hints {
  readonly platform: string
  readonly platformVersion: string
  readonly architecture: string
  readonly bitness: string
  readonly model: string
}

const desktop = { viewport: { width: 1280, height: 800 }, screen: { width: 1920, height: 1080 }, scale: 1, mobile: false, touchPoints: 0, cores: undefined } as const

type System = Pick<Device, 'platform' | 'system' | 'hints'>

/** Fonts, codecs and graphics are those of the real system, so the same system is named. */
const systems: Readonly<Partial<Record<NodeJS.Platform, System>>> = {
  darwin: {
    platform: 'MacIntel',
    system: 'Macintosh; Intel Mac OS X 10_15_7',
    hints: { platform: 'macOS', platformVersion: '15.6.0', architecture: 'arm', bitness: '64', model: '' },
  },
  win32: {
    platform: 'Win32',
    system: 'Windows NT 10.0; Win64; x64',
    hints: { platform: 'Windows', platformVersion: '19.0.0', architecture: 'x86', bitness: '64', model: '' },
  },
}
const linux: System = {
  platform: 'Linux x86_64',
  system: 'X11; Linux x86_64',
  // Chrome leaves the version empty on Linux.
  hints: { platform: 'Linux', platformVersion: '', architecture: 'x86', bitness: '64', model: '' },
}

/** A current Android phone. There, Chrome names Android version and model only in client hints, not in the user agent. */
const phone: Device = {
  viewport: { width: 412, height: 783 },
  screen: { width: 412, height: 924 },
  scale: 2.625,
  mobile: true,
  touchPoints: 5,
  cores: 8,
  platform: 'Linux armv81',
  system: 'Linux; Android 10; K',
  hints: { platform: 'Android', platformVersion: '16.0.0', architecture: '', bitness: '', model: 'Pixel 9' },
}

/** The device that a page sees: a phone, or a desktop with this process's operating system. */
export function deviceFor(mobile: boolean, viewport?: Size): Device {
  const device: Device = mobile ? phone : { ...desktop, ...(systems[process.platform] ?? linux) }
  if (viewport === undefined) return device
  const { screen } = device
  return { ...device, viewport, screen: { width: Math.max(screen.width, viewport.width), height: Math.max(screen.height, viewport.height) } }
}
