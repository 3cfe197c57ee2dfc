/** Keys by their names, as the driver spells them. */
const names = [
  'Enter', 'Tab', 'Escape', 'Backspace', 'Delete', 'Insert', 'Space', 'Home', 'End', 'PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight',
  'Shift', 'Control', 'Alt', 'Meta', 'ControlOrMeta', 'ShiftLeft', 'ShiftRight', 'ControlLeft', 'ControlRight', 'AltLeft', 'AltRight', 'MetaLeft', 'MetaRight', 'AltGraph',
  'CapsLock', 'NumLock', 'ScrollLock', 'Pause', 'PrintScreen', 'ContextMenu', 'Backquote', 'Minus', 'Equal', 'Backslash', 'BracketLeft', 'BracketRight', 'Semicolon', 'Quote', 'Comma', 'Period', 'Slash',
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `Key${letter}`),
  ...[...'0123456789'].map((digit) => `Digit${digit}`),
] // prettier-ignore

/** What else they are called, in other tools and on keyboards. */
const others: Readonly<Record<string, string>> = { return: 'Enter', esc: 'Escape', del: 'Delete', ins: 'Insert', ctrl: 'Control', cmd: 'Meta', command: 'Meta', option: 'Alt', up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight', spacebar: 'Space' }

const known = new Map([...Object.entries(others), ...names.map((name) => [name.toLowerCase(), name] as const)])

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '')

/**
 * A key, or several with a plus between, as the driver spells them: the examples that people copy have `ENTER`. What is one character
 * stays as it is, as `a` and `A` are two keys; what is no key at all, too, for the driver to say so.
 */
export const keyNamed = (text: string): string => text.split(/(?<=[^+])\+/).map((part) => (part.length === 1 ? part : (known.get(plain(part)) ?? part))).join('+')
