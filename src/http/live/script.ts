/** The script of the live view: shows the pictures, and where it may sends what the viewer does. Served as a file of its own. */
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
  // The page and its socket have one address: whatever stands before us need not know the one from the other.
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

// Pictures: drawn one after the other, confirmed when drawn; those of a page that nobody looks at wait.

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
    for (let next = this.waiting.shift(); next !== undefined && !document.hidden; next = this.waiting.shift()) {
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

// News

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

// Hands

const bits = (event) => (event.altKey ? 1 : 0) | (event.ctrlKey || (mac && event.metaKey) ? 2 : 0) | (event.metaKey && !mac ? 4 : 0) | (event.shiftKey ? 8 : 0)
const place = ({ clientX, clientY }) => {
  const box = screen.getBoundingClientRect()
  return { x: Math.round(((clientX - box.left) / box.width) * size.width), y: Math.round(((clientY - box.top) / box.height) * size.height) }
}
const buttons = ['left', 'middle', 'right']

// Movements and turns of the wheel are sent once per picture of this screen.
const soon = { move: null, wheel: null, asked: false }
function later() {
  if (soon.asked) return
  soon.asked = true
  requestAnimationFrame(flush)
}
function flush() {
  soon.asked = false
  if (soon.move !== null) send(soon.move)
  if (soon.wheel !== null) send(soon.wheel)
  soon.move = soon.wheel = null
}
function wheel(at, dx, dy, modifiers) {
  soon.wheel = { type: 'wheel', ...at, dx: dx + (soon.wheel?.dx ?? 0), dy: dy + (soon.wheel?.dy ?? 0), modifiers }
  later()
}
const unit = () => size.width / Math.max(1, screen.getBoundingClientRect().width)

function mouse() {
  const press = (event, kind) => {
    flush()
    send({ type: 'mouse', event: kind, ...place(event), button: buttons[event.button] ?? 'none', buttons: event.buttons, clicks: Math.min(3, Math.max(1, clicks)), modifiers: bits(event) })
  }
  let clicks = 1
  let last = { at: 0, x: 0, y: 0 }
  screen.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    if (event.pointerType === 'touch') return
    screen.setPointerCapture(event.pointerId)
    keys.focus({ preventScroll: true })
    const near = event.timeStamp - last.at < 500 && Math.hypot(event.clientX - last.x, event.clientY - last.y) < 6
    clicks = near ? clicks + 1 : 1
    last = { at: event.timeStamp, x: event.clientX, y: event.clientY }
    press(event, 'down')
  })
  screen.addEventListener('pointerup', (event) => event.pointerType !== 'touch' && press(event, 'up'))
  screen.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch') return
    const held = [1, 4, 2].findIndex((bit) => event.buttons & bit)
    soon.move = { type: 'mouse', event: 'move', ...place(event), button: buttons[held] ?? 'none', buttons: event.buttons, modifiers: bits(event) }
    later()
  })
  screen.addEventListener('contextmenu', (event) => event.preventDefault())
  stage.addEventListener('wheel', (event) => {
    event.preventDefault()
    const lines = event.deltaMode === 1 ? 40 : event.deltaMode === 2 ? size.height : 1
    wheel(place(event), event.deltaX * lines, event.deltaY * lines, bits(event) & ~(event.ctrlKey ? 2 : 0))
  }, { passive: false })
}

// A tap is a click, a drag of a finger scrolls.
function fingers() {
  let down = null
  screen.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch' && event.isPrimary) down = { id: event.pointerId, x: event.clientX, y: event.clientY, moved: false }
  })
  screen.addEventListener('pointermove', (event) => {
    if (down === null || event.pointerId !== down.id) return
    const [dx, dy] = [down.x - event.clientX, down.y - event.clientY]
    if (!down.moved && Math.hypot(dx, dy) < 8) return
    Object.assign(down, { x: event.clientX, y: event.clientY, moved: true })
    wheel(place(event), dx * unit(), dy * unit(), 0)
  })
  screen.addEventListener('pointerup', (event) => {
    if (down === null || event.pointerId !== down.id) return
    const tap = !down.moved
    down = null
    if (!tap) return
    const at = place(event)
    send({ type: 'mouse', event: 'move', ...at })
    send({ type: 'mouse', event: 'down', ...at, button: 'left', buttons: 1, clicks: 1 })
    send({ type: 'mouse', event: 'up', ...at, button: 'left', clicks: 1 })
  })
  screen.addEventListener('pointercancel', () => (down = null))
}

function keyboard() {
  const press = (event, kind) => {
    const modifiers = bits(event)
    const printable = [...event.key].length === 1 && (modifiers & 6) === 0
    const text = event.key === 'Enter' ? '\r' : printable || event.getModifierState('AltGraph') ? event.key : ''
    send({ type: 'key', event: kind, key: mac && event.key === 'Meta' ? 'Control' : event.key, code: event.code, keyCode: Math.min(255, event.keyCode || 0), text: kind === 'down' && [...text].length === 1 ? text : '', location: event.location, repeat: event.repeat, modifiers })
  }
  const ofTheField = (event) => event.isComposing || event.keyCode === 229 || event.key === 'Unidentified' || event.key === 'Process'
  const pastes = (event) => (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'v'
  keys.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && event.shiftKey) return address.focus()
    // Composed text and pasted text come as what they are.
    if (ofTheField(event) || pastes(event)) return
    event.preventDefault()
    press(event, 'down')
  })
  keys.addEventListener('keyup', (event) => {
    if (!ofTheField(event) && !pastes(event)) press(event, 'up')
  })
  keys.addEventListener('paste', (event) => {
    event.preventDefault()
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text !== '') send({ type: 'text', text: text.slice(0, 100000) })
  })
  const key = (name, code) => ['down', 'up'].forEach((event) => send({ type: 'key', event, key: name, code: name, keyCode: code, text: event === 'down' && name === 'Enter' ? '\r' : '' }))
  keys.addEventListener('beforeinput', (event) => {
    if (event.inputType === 'deleteContentBackward' && !event.isComposing) key('Backspace', 8)
    else if (event.inputType === 'insertLineBreak' || event.inputType === 'insertParagraph') key('Enter', 13)
    else return
    event.preventDefault()
  })
  const typed = () => {
    const text = keys.value
    keys.value = ''
    if (text !== '') send({ type: 'text', text })
  }
  keys.addEventListener('input', (event) => !event.isComposing && typed())
  keys.addEventListener('compositionend', typed)
}

function chrome() {
  for (const name of ['back', 'forward', 'new-tab']) $(name).onclick = () => send({ type: name })
  $('reload').onclick = () => send({ type: document.body.classList.contains('loading') ? 'stop' : 'reload' })
  $('keyboard').onclick = () => keys.focus()
  address.addEventListener('focus', () => address.select())
  $('go').addEventListener('submit', (event) => {
    event.preventDefault()
    const url = address.value.trim()
    if (url === '') return
    send({ type: 'navigate', url })
    keys.focus({ preventScroll: true })
  })
  $('dialog').addEventListener('close', () => {
    const box = $('dialog')
    if (box.returnValue !== '') send({ type: 'dialog', accept: box.returnValue === 'ok', value: $('dialog-value').value })
    box.returnValue = ''
  })
  $('dialog').addEventListener('cancel', () => ($('dialog').returnValue = 'cancel'))
}

if (control) {
  mouse()
  fingers()
  keyboard()
  chrome()
}
connect()
`
