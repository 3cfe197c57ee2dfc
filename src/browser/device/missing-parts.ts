import type { Device } from './device.ts'

/**
 * A script for every document that adds what the headless build lacks, although every Chrome of its version has it. Runs in
 * the page's world, before the page's own scripts.
 */
export function missingParts(device: Device): string {
  return `(${complete})(${JSON.stringify({ mobile: device.mobile })})`
}

// Functions made by `bind` have the source text of built-in ones.
const complete = String.raw`({ mobile }) => {
  const native = (name, f) => Object.defineProperty(f.bind(undefined), 'name', { value: name })
  // Our own browsers are started so that they do not set it; others may.
  if (navigator.webdriver) Object.defineProperty(Navigator.prototype, 'webdriver', { get: native('get webdriver', () => false), enumerable: true, configurable: true })
  if (!('chrome' in globalThis)) {
    const start = performance.timeOrigin / 1000
    const loadTimes = native('loadTimes', () => ({ requestTime: start, startLoadTime: start, commitLoadTime: start, finishDocumentLoadTime: 0, finishLoadTime: 0, firstPaintTime: 0, firstPaintAfterLoadTime: 0, navigationType: 'Other', wasFetchedViaSpdy: false, wasNpnNegotiated: true, npnNegotiatedProtocol: 'http/1.1', wasAlternateProtocolAvailable: false, connectionInfo: 'http/1.1' }))
    const csi = native('csi', () => ({ startE: Math.round(start * 1000), onloadT: Math.round(start * 1000), pageT: performance.now(), tran: 15 }))
    const app = { isInstalled: false, InstallState: { DISABLED: 'disabled', INSTALLED: 'installed', NOT_INSTALLED: 'not_installed' }, RunningState: { CANNOT_RUN: 'cannot_run', READY_TO_RUN: 'ready_to_run', RUNNING: 'running' } }
    Object.defineProperty(globalThis, 'chrome', { value: mobile ? { loadTimes, csi } : { loadTimes, csi, app }, writable: true, enumerable: true, configurable: false })
  }
  if (globalThis.Notification && isSecureContext && self === top) Object.defineProperty(Notification, 'permission', { get: native('get permission', () => 'default'), enumerable: true, configurable: true })
  if (mobile || navigator.plugins.length > 0) return
  const make = (type, fields) => Object.create(type.prototype, Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, { value, enumerable: false, configurable: true }])))
  const indexed = (type, items, key) => {
    const list = make(type, { length: items.length, item: native('item', (at) => items[at] ?? null), namedItem: native('namedItem', (name) => items.find((one) => one[key] === name) ?? null), refresh: native('refresh', () => undefined) })
    items.forEach((item, at) => {
      Object.defineProperty(list, at, { value: item, enumerable: true, configurable: true })
      Object.defineProperty(list, item[key], { value: item, enumerable: false, configurable: true })
    })
    return list
  }
  const description = 'Portable Document Format'
  const plugins = ['PDF Viewer', 'Chrome PDF Viewer', 'Chromium PDF Viewer', 'Microsoft Edge PDF Viewer', 'WebKit built-in PDF'].map((name) => make(Plugin, { name, description, filename: 'internal-pdf-viewer' }))
  const types = ['application/pdf', 'text/pdf'].map((type) => make(MimeType, { type, description, suffixes: 'pdf', enabledPlugin: plugins[0] }))
  for (const plugin of plugins) {
    Object.defineProperty(plugin, 'length', { value: types.length, configurable: true })
    types.forEach((type, at) => Object.defineProperty(plugin, at, { value: type, enumerable: true, configurable: true }))
  }
  const answers = { plugins: indexed(PluginArray, plugins, 'name'), mimeTypes: indexed(MimeTypeArray, types, 'type'), pdfViewerEnabled: true }
  for (const [name, value] of Object.entries(answers)) {
    Object.defineProperty(Navigator.prototype, name, { get: native('get ' + name, () => value), enumerable: true, configurable: true })
  }
}`

/**
 * A script for every document that rejects service workers, because nothing of a page may keep running; it fails as for a
 * missing script. The driver's own method writes its name to the console.
 */
export const noServiceWorkers = String.raw`(() => {
  if (!self.ServiceWorkerContainer) return
  const register = (script) => Promise.reject(new TypeError('Failed to register a ServiceWorker for scope (\'' + new URL('.', location.href) + '\') with script (\'' + new URL(script, location.href) + '\'): An unknown error occurred when fetching the script.'))
  Object.defineProperty(ServiceWorkerContainer.prototype, 'register', { value: Object.defineProperty(register.bind(undefined), 'name', { value: 'register' }), writable: true, enumerable: true, configurable: true })
})()`
