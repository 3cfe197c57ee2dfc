/** The proxy for all of the browser's traffic. */
export interface ProxyAddress {
  readonly host: string
  readonly port: number
}

/** Features of Chromium that send data home, prompt the user, or interfere with page loads. */
const featuresOff = [
  'AcceptCHFrame',
  'AutofillServerCommunication',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'CertificateTransparencyComponentUpdater',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'DnsOverHttps',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'InterestFeedContentSuggestions',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'Translate',
]

/** No way out except the proxy (R4). */
const egress = ({ host, port }: ProxyAddress): readonly string[] => [
  `--proxy-server=http://${host}:${port}`,
  // Otherwise loopback addresses would bypass the proxy.
  '--proxy-bypass-list=<-loopback>',
  // The proxy resolves names; anything that bypasses it finds no address.
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
  '--dns-over-https-mode=off',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--no-pings',
]

const quiet: readonly string[] = [
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-crash-reporter',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--disable-stack-profiler',
  '--disable-sync',
  // What workers see until they are told the languages of the visit.
  '--accept-lang=en-US,en',
  '--metrics-recording-only',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
]

/** Pages run at full speed although nobody looks at them, and look the same everywhere. */
const work: readonly string[] = [
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  // Containers give /dev/shm only 64 MB, which a single page can fill.
  '--disable-dev-shm-usage',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--disable-renderer-backgrounding',
  '--allow-pre-commit-input',
  // A mouse that can hover and point precisely: without a screen, Chromium reports none.
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--disable-blink-features=AutomationControlled',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  `--disable-features=${featuresOff.join(',')}`,
  '--enable-features=CDPScreenshotNewSurface',
]

/** The complete command line of our Chromium. The protocol uses a pipe, never a port (R5). */
export function flags(proxy: ProxyAddress, profile: string, sandbox: boolean): readonly string[] {
  const walls = sandbox ? [] : ['--no-sandbox']
  return ['--headless', ...walls, ...egress(proxy), ...quiet, ...work, `--user-data-dir=${profile}`, '--remote-debugging-pipe', '--no-startup-window']
}
