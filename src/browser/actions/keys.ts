/** The names of keys in the driver's spelling. */
const names = [
  'Enter', 'Tab', 'Escape', 'Backspace', 'Delete', 'Insert', 'Space', 'Home', 'End', 'PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight',
  'Shift', 'Control', 'Alt', 'Meta', 'ControlOrMeta', 'ShiftLeft', 'ShiftRight', 'ControlLeft', 'ControlRight', 'AltLeft', 'AltRight', 'MetaLeft', 'MetaRight', 'AltGraph',
  'CapsLock', 'NumLock', 'ScrollLock', 'Pause', 'PrintScreen', 'ContextMenu', 'Backquote', 'Minus', 'Equal', 'Backslash', 'BracketLeft', 'BracketRight', 'Semicolon', 'Quote', 'Comma', 'Period', 'Slash',
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `Key${letter}`),
  ...[...'0123456789'].map((digit) => `Digit${digit}`),
]

/** Other common names of keys. */
const others: Readonly<Record<string, string>> = { return: 'Enter', esc: 'Escape', del: 'Delete', ins: 'Insert', ctrl: 'Control', cmd: 'Meta', command: 'Meta', option: 'Alt', up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight', spacebar: 'Space' }

const known = new Map([...Object.entries(others), ...names.map((name) => [name.toLowerCase(), name] as const)])

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

/**
 * A key or a combination joined by plus signs, in the driver's spelling: examples that people copy contain `ENTER`. Single
 * characters stay as they are, because `a` and `A` are different keys; unknown names too, so that the driver reports them.
 */
export const keyNamed = (text: string): string => text.split(/(?<=[^+])\+/).map((part) => (part.length === 1 ? part : (known.get(plain(part)) ?? part))).join('+')
