/** What a page can measure of the machine that shows it. */
export interface Device {
  readonly viewport: Size
  readonly screen: Size
  readonly scale: number
  readonly mobile: boolean
  /** Fingers that the screen tells apart; 0 without a touch screen. */
  readonly touchPoints: number
  /** Processor cores that scripts see; undefined: those of this machine. */
  readonly cores: number | undefined
  /** `navigator.platform`. */
  readonly platform: string
  /** The part of the user agent between the first brackets. */
  readonly system: string
  readonly hints: Hints
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** What client hints say of the machine (User-Agent Client Hints, WICG). */
export interface Hints {
  readonly platform: string
  readonly platformVersion: string
  readonly architecture: string
  readonly bitness: string
  readonly model: string
}

const desktop = { viewport: { width: 1280, height: 800 }, screen: { width: 1920, height: 1080 }, scale: 1, mobile: false, touchPoints: 0, cores: undefined } as const

type System = Pick<Device, 'platform' | 'system' | 'hints'>

/** Fonts, codecs and graphics are those of the real system, so that is the system we name. */
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
  // Chrome leaves the version out on Linux.
  hints: { platform: 'Linux', platformVersion: '', architecture: 'x86', bitness: '64', model: '' },
}

/** A present-day Android phone; Chrome there names neither Android version nor model in the user agent, only in client hints. */
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

/** The machine that a page is to see: a phone, or a desktop with the system this process runs on. */
export function deviceFor(mobile: boolean, viewport?: Size): Device {
  const device: Device = mobile ? phone : { ...desktop, ...(systems[process.platform] ?? linux) }
  if (viewport === undefined) return device
  const { screen } = device
  return { ...device, viewport, screen: { width: Math.max(screen.width, viewport.width), height: Math.max(screen.height, viewport.height) } }
}
