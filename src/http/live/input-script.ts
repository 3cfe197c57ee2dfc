/**
 * The part of the live view's script that sends what the viewer does: mouse, touch, keyboard, and the bar with the address
 * and the buttons. Uses the constants of `script.ts`, which includes it.
 */
export const inputScript = String.raw`// Input

const bits = (event) => (event.altKey ? 1 : 0) | (event.ctrlKey || (mac && event.metaKey) ? 2 : 0) | (event.metaKey && !mac ? 4 : 0) | (event.shiftKey ? 8 : 0)
const place = ({ clientX, clientY }) => {
  const box = screen.getBoundingClientRect()
  return { x: Math.round(((clientX - box.left) / box.width) * size.width), y: Math.round(((clientY - box.top) / box.height) * size.height) }
}
const buttons = ['left', 'middle', 'right']

// Pointer moves and wheel turns are sent once per frame.
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

// A tap is a click; dragging a finger scrolls.
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
    // Composed and pasted text comes as input events.
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
`
