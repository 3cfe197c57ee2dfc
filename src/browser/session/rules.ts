import { isAllowed } from './allowed.ts'
import { isWeb, urlOf } from '../../lib/url-of.ts'

/** Parameters of a command. */
export type Params = Readonly<Record<string, unknown>>

/** What to do with a command. */
export type Ruling =
  | { readonly kind: 'send'; readonly params: Params }
  /** The session answers it. */
  | { readonly kind: 'answer'; readonly result: object }
  | { readonly kind: 'refuse'; readonly why: string }
  /** The session does it itself, because the browser would do something else. */
  | { readonly kind: 'ours'; readonly task: 'end' | 'new-context' | 'drop-context' }

/** Where a command goes, to the browser itself or to one of its targets; and what belongs to the session. */
export interface Place {
  readonly root: boolean
  /**
   * The context of a command that names none: the target's, otherwise the session's own, which clients take for the
   * browser's default.
   */
  readonly context: string
  isOwnContext(id: string): boolean
  isOwnTarget(id: string): boolean
  isOwnSession(id: string): boolean
  /** Whether no further page can be opened. */
  isFull(): boolean
}

const send = (params: Params): Ruling => ({ kind: 'send', params })
const refuse = (why: string): Ruling => ({ kind: 'refuse', why })

/** Whether a page of a session may be sent to an address: of the web, or made by pages themselves. */
export function isOpenAddress(value: unknown): boolean {
  if (value === undefined || value === '') return true
  if (typeof value !== 'string' || value.length > 2 * 1024 * 1024) return false
  const url = urlOf(value)
  if (url === null) return false
  if (url.protocol === 'about:') return url.pathname === 'blank' || url.pathname === 'srcdoc'
  if (url.protocol === 'blob:') return /^(https?:|null\/)/.test(url.pathname)
  return isWeb(url) || url.protocol === 'data:'
}

/** Most pages of a session, whoever opens them. */
export const mostPages = 20

const full = refuse(`A session has no more than ${mostPages} pages; close one first`)

const notOpen = 'Only addresses of the web can be opened in a session'

function withUrl(params: Params): Ruling {
  return isOpenAddress(params['url']) ? send(params) : refuse(notOpen)
}

/** Adds the session's context to a command that names none, and refuses foreign ones. */
function inContext(params: Params, { context, isOwnContext }: Place): Ruling {
  const id = params['browserContextId']
  if (id === undefined) return send({ ...params, browserContextId: context })
  return typeof id === 'string' && isOwnContext(id) ? send(params) : refuse('Failed to find browser context with given id')
}

function ofTarget(params: Params, { isOwnTarget }: Place): Ruling {
  const id = params['targetId']
  return id === undefined || (typeof id === 'string' && isOwnTarget(id)) ? send(params) : refuse('No target with given id found')
}

/** Only the parameters that are known to be harmless. */
function only(params: Params, names: readonly string[]): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))
}

function createTarget(params: Params, place: Place): Ruling {
  if (!isOpenAddress(params['url'])) return refuse(notOpen)
  if (place.isFull()) return full
  return inContext(only(params, ['url', 'left', 'top', 'width', 'height', 'windowState', 'browserContextId', 'newWindow', 'background', 'forTab']), place)
}

/** A response may be a redirect. */
function fulfil(params: Params): Ruling {
  const headers: unknown = params['responseHeaders']
  if (headers !== undefined && !Array.isArray(headers)) return refuse('Invalid parameters')
  const list: readonly unknown[] = headers ?? []
  const bad = list.some((header) => {
    const { name, value } = (header ?? {}) as { readonly name?: unknown; readonly value?: unknown } // validated, not trusted
    return String(name).trim().toLowerCase() === 'location' && /^[\s\0-\x1f]*(?!https?:)[a-z][a-z0-9+.-]*:/i.test(String(value).replace(/[\t\r\n]/g, ''))
  })
  // As a single text, the headers would have to be parsed exactly as Chromium does.
  return bad || params['binaryResponseHeaders'] !== undefined ? refuse(notOpen) : send(params)
}

const noFiles = (what: unknown): boolean => what === undefined || (Array.isArray(what) && what.length === 0)

/** Rules for commands whose parameters matter; other commands in `allowed` are sent unchanged. */
const rules: Readonly<Record<string, (params: Params, place: Place) => Ruling>> = {
  'Browser.close': () => ({ kind: 'ours', task: 'end' }),
  // Nothing is written to this machine, wherever a client wants it.
  'Browser.setDownloadBehavior': () => ({ kind: 'answer', result: {} }),
  'Browser.cancelDownload': () => ({ kind: 'answer', result: {} }),
  'Page.setDownloadBehavior': () => ({ kind: 'answer', result: {} }),
  'Browser.grantPermissions': inContext,
  'Browser.resetPermissions': inContext,
  'Browser.setPermission': inContext,
  'Browser.getWindowForTarget': ofTarget,
  'Storage.getCookies': inContext,
  'Storage.setCookies': inContext,
  'Storage.clearCookies': inContext,
  'DOM.setFileInputFiles': (params) => (noFiles(params['files']) ? send(params) : refuse('Files are not taken by their path, which would be one of the machine that the browser runs on; give what is in the file (Playwright: setInputFiles(selector, { name, mimeType, buffer }))')),
  'Input.dispatchDragEvent': (params) => {
    const { files } = (params['data'] ?? {}) as { readonly files?: unknown } // validated, not trusted
    return noFiles(files) ? send(params) : refuse('Files of the machine that the browser runs on cannot be given to a page')
  },
  'Page.navigate': withUrl,
  'Fetch.continueRequest': withUrl,
  'Fetch.fulfillRequest': fulfil,
  'Fetch.continueResponse': fulfil,
  'Fetch.enable': (params) => send({ ...params, handleAuthRequests: true }),
  'Target.createTarget': createTarget,
  'Target.createBrowserContext': (params, { isFull }) => (params['proxyServer'] !== undefined ? refuse('The way of a session to the network is its own') : isFull() ? full : { kind: 'ours', task: 'new-context' }),
  'Target.disposeBrowserContext': () => ({ kind: 'ours', task: 'drop-context' }),
  'Target.attachToTarget': (params, place) => (params['targetId'] === undefined ? refuse('No target with given id found') : ofTarget({ ...params, flatten: true }, place)),
  'Target.closeTarget': ofTarget,
  'Target.activateTarget': ofTarget,
  'Target.getTargetInfo': ofTarget,
  'Target.setAutoAttach': (params) => send({ ...params, flatten: true }),
  'Target.detachFromTarget': (params, { isOwnSession }) => (typeof params['sessionId'] === 'string' && isOwnSession(params['sessionId']) ? send({ sessionId: params['sessionId'] }) : refuse('No session with given id')),
}

// At the browser's root session, `Fetch` and `Storage` would reach beyond the client's session.
const ofBrowser = /^(?:Browser|Target|Schema)\.|^Storage\.(?:get|set|clear)Cookies$|^Security\.setIgnoreCertificateErrors$/

/** Decides about a client's command. */
export function ruling(method: string, params: Params, place: Place): Ruling {
  if (!isAllowed(method) || (place.root && !ofBrowser.test(method))) return refuse(`'${method.slice(0, 100)}' is not allowed in a session`)
  const rule = Object.hasOwn(rules, method) ? rules[method] : undefined
  return rule === undefined ? send(params) : rule(params, place)
}
