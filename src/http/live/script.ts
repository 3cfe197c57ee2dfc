import { inputScript } from './input-script.ts'

/** The script of the live view: shows the session's screen and, if the viewer may control it, sends their input. Served as a file. */
export const viewScript = String.raw`'use strict'
const $ = (id) => document.getElementById(id)
const control = document.body.dataset.control === 'true'
const [screen, stage, keys, says, address, tabList] = ['screen', 'stage', 'keys', 'says', 'address', 'tabs'].map($)
const paint = screen.getContext('2d')
const mac = /mac|iphone|ipad/i.test(navigator.platform)
let socket = null
let size = { width: 1280, height: 800 }
let tries = 0
let over = false

// Connection

function state(name, text, curtain) {
  document.body.dataset.state = name
  says.textContent = text
  $('curtain-says').textContent = curtain ?? text
}

function connect() {
  // The page and its socket share one address, so that a proxy before us needs no rule for the socket.
  const url = new URL(location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.hash = ''
  socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  socket.onmessage = ({ data }) => (typeof data === 'string' ? hear(JSON.parse(data)) : frames.push(data, socket))
  socket.onclose = () => {
    if (over) return
    if (++tries > 6) return state('lost', 'Not connected', 'The session has ended, or cannot be reached. Reload this page to try again.')
    state('connecting', 'Reconnecting', 'The connection was lost. Connecting again.')
    setTimeout(connect, Math.min(8000, 250 * 2 ** tries))
  }
}

const send = (message) => {
  if (control && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

// Pictures of the screen: drawn one after the other, and confirmed once drawn. They wait while the page is hidden.

const frames = {
  waiting: [],
  busy: false,
  push(data, from) {
    this.waiting.push({ data, from })
    void this.work()
  },
  async work() {
    if (this.busy || document.hidden) return
    this.busy = true
    while (this.waiting.length > 0 && !document.hidden) {
      const next = this.waiting.shift()
      await this.show(next.data).catch(() => undefined)
      if (next.from.readyState === WebSocket.OPEN) next.from.send('ok')
    }
    this.busy = false
  },
  async show(data) {
    const head = new DataView(data)
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(data, 4)], { type: 'image/jpeg' }))
    const next = { width: head.getUint16(0) || bitmap.width, height: head.getUint16(2) || bitmap.height }
    const changed = next.width !== size.width || next.height !== size.height || screen.width === 16
    size = next
    if (screen.width !== bitmap.width || screen.height !== bitmap.height) {
      screen.width = bitmap.width
      screen.height = bitmap.height
    }
    paint.drawImage(bitmap, 0, 0)
    bitmap.close()
    if (changed) fit()
    if (document.body.dataset.state !== 'live' && !over) {
      tries = 0
      state('live', 'Live')
    }
  },
}
document.addEventListener('visibilitychange', () => void frames.work())

function fit() {
  const scale = Math.min(stage.clientWidth / size.width, stage.clientHeight / size.height, 1.6)
  screen.style.width = Math.max(1, Math.floor(size.width * scale)) + 'px'
  screen.style.height = Math.max(1, Math.floor(size.height * scale)) + 'px'
}
new ResizeObserver(fit).observe(stage)

// Messages from the service

const hearers = {
  hello: () => {
    tries = 0
    state('live', 'Live')
  },
  page({ url, loading, back, forward }) {
    if (document.activeElement !== address) address.value = address.textContent = url === 'about:blank' ? '' : url
    document.body.classList.toggle('loading', loading)
    $('progress').hidden = !loading
    if (!control) return
    $('back').disabled = !back
    $('forward').disabled = !forward
    const label = loading ? 'Stop' : 'Reload'
    $('reload').title = label
    $('reload').setAttribute('aria-label', label)
  },
  tabs({ tabs }) {
    const active = tabs.find((tab) => tab.active)
    const name = (tab) => (tab.url === 'about:blank' ? '' : tab.title || tab.url.replace(/^https?:\/\//, '')) || 'New tab'
    document.title = active ? name(active) + ' (live view)' : 'Live view'
    screen.setAttribute('aria-label', active ? 'The page "' + name(active) + '"' : 'No page is open')
    tabList.replaceChildren(...tabs.map((tab) => tabOf(tab, name(tab), tabs.length)))
    tabList.querySelector('.active')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  },
  dialog({ dialog }) {
    const box = $('dialog')
    if (dialog === null) return box.close()
    $('dialog-says').textContent = dialog.message || (dialog.kind === 'beforeunload' ? 'Leave this page? Changes may be lost.' : '')
    const field = $('dialog-value')
    field.hidden = dialog.kind !== 'prompt'
    field.value = dialog.value
    if (control) $('dialog-no').hidden = dialog.kind === 'alert'
    if (!box.open) box.showModal()
  },
  refused: ({ reason }) => toast(reason),
  ended() {
    over = true
    state('ended', 'Ended', 'The session has ended.')
    socket.close()
  },
}
const hear = (news) => hearers[news.type]?.(news)

let hide = 0
function toast(text) {
  const box = $('toast')
  box.textContent = text
  box.hidden = false
  clearTimeout(hide)
  hide = setTimeout(() => (box.hidden = true), 4000)
}

const cross = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>'

function tabOf(tab, label, count) {
  const box = document.createElement('div')
  box.className = tab.active ? 'tab active' : 'tab'
  const name = document.createElement('button')
  name.className = 'name'
  name.type = 'button'
  name.setAttribute('role', 'tab')
  name.setAttribute('aria-selected', String(tab.active))
  name.textContent = name.title = label
  name.disabled = !control
  name.onclick = () => send({ type: 'tab', id: tab.id })
  box.append(name)
  if (control && count > 1) {
    const close = document.createElement('button')
    close.className = 'close'
    close.type = 'button'
    close.title = 'Close tab'
    close.setAttribute('aria-label', 'Close tab ' + label)
    close.innerHTML = cross
    close.onclick = () => send({ type: 'close-tab', id: tab.id })
    box.append(close)
  }
  return box
}

${inputScript}
if (control) {
  mouse()
  fingers()
  keyboard()
  chrome()
}
connect()
`
