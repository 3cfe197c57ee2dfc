import asyncio
import math
import re

from .errors import Error
from .surface import Surface

# By the keyboard of the United States: what is printed on a key, and on it with Shift.
PRINTED = [
    *((f'Key{letter}', ord(letter), letter.lower() + letter) for letter in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    *((f'Digit{i}', 48 + i, f'{i}{shifted}') for i, shifted in enumerate(')!@#$%^&*(')),
    ('Semicolon', 186, ';:'), ('Equal', 187, '=+'), ('Comma', 188, ',<'), ('Minus', 189, '-_'), ('Period', 190, '.>'), ('Slash', 191, '/?'),
    ('Backquote', 192, '`~'), ('BracketLeft', 219, '[{'), ('Backslash', 220, '\\|'), ('BracketRight', 221, ']}'), ('Quote', 222, '\'"'), ('Space', 32, '  '),
]
BY_CODE = {code: signs for code, _, signs in PRINTED}
SHIFTED = {signs[0]: signs[1] for _, _, signs in PRINTED}
# The number of a key, its code, and what it types.
KEYS = {
    **{sign: (number, code, sign) for code, number, signs in PRINTED for sign in signs},
    'Enter': (13, 'Enter', '\r'), 'Shift': (16, 'ShiftLeft', None), 'Control': (17, 'ControlLeft', None), 'Alt': (18, 'AltLeft', None), 'Meta': (91, 'MetaLeft', None),
    **{name: (number, name, None) for name, number in {
        'Tab': 9, 'Backspace': 8, 'Delete': 46, 'Escape': 27, 'ArrowLeft': 37, 'ArrowUp': 38, 'ArrowRight': 39, 'ArrowDown': 40, 'Home': 36, 'End': 35,
        'PageUp': 33, 'PageDown': 34, 'Insert': 45, **{f'F{i}': 111 + i for i in range(1, 13)},
    }.items()},
}
MODIFIERS = {'Alt': 1, 'Control': 2, 'Meta': 4, 'Shift': 8}
BUTTONS = {'left': 1, 'right': 2, 'middle': 4}


class Keyboard(Surface):
    def __init__(self, page):
        self._page = page
        self._held = set()

    def _event(self, kind, key):
        shifted = 'Shift' in self._held
        key = BY_CODE[key][shifted] if key in BY_CODE else SHIFTED.get(key, key) if shifted else key
        if key not in KEYS and len(key) != 1:
            raise Error(f'Unknown key: "{key}"')
        number, code, text = KEYS.get(key, (0, '', key))
        params = {'type': kind, 'key': key, 'code': code, 'windowsVirtualKeyCode': number, 'modifiers': sum(MODIFIERS[one] for one in self._held)}
        plain = not self._held & {'Control', 'Alt', 'Meta'}
        if kind == 'keyDown' and text is not None and plain:
            params['text'] = text
        elif kind == 'keyDown':
            params['type'] = 'rawKeyDown'
            if key.lower() == 'a' and self._held & {'Control', 'Meta'}:
                params['commands'] = ['selectAll']
        return self._page._send('Input.dispatchKeyEvent', params)

    async def down(self, key):
        if key in MODIFIERS:
            self._held.add(key)
        await self._event('keyDown', key)

    async def up(self, key):
        self._held.discard(key)
        await self._event('keyUp', key)

    async def press(self, key, *, delay=0):
        keys = re.findall(r'(?:[^+]+|\+(?=$))(?:\+(?=.)|$)|\+$', key) or [key]
        keys = [one if one == '+' else one.rstrip('+') if len(one) > 1 else one for one in keys]
        keys = ['Control' if one == 'ControlOrMeta' else one for one in keys]
        held = []
        try:
            for one in keys:
                await self.down(one)
                held.append(one)
            await asyncio.sleep(delay / 1000)
        finally:
            for one in reversed(held):
                await self.up(one)

    async def insert_text(self, text):
        await self._page._send('Input.insertText', {'text': text})

    async def type(self, text, *, delay=0):
        for char in text:
            if char == '\n':
                await self.press('Enter')
            elif char in KEYS:
                await self.down(char)
                await self.up(char)
            else:
                await self.insert_text(char)
            if delay:
                await asyncio.sleep(delay / 1000)


class Mouse(Surface):
    def __init__(self, page):
        self._page = page
        self._at = (0, 0)
        self._buttons = 0

    def _event(self, kind, **params):
        x, y = self._at
        return self._page._send('Input.dispatchMouseEvent', {'type': kind, 'x': x, 'y': y, 'buttons': self._buttons, 'modifiers': sum(MODIFIERS[one] for one in self._page.keyboard._held), **params})

    async def move(self, x, y, *, steps=1):
        if not (math.isfinite(x) and math.isfinite(y)):
            raise Error('x, y: expected numbers of the page')
        from_x, from_y = self._at
        for i in range(1, steps + 1):
            self._at = (from_x + (x - from_x) * i / steps, from_y + (y - from_y) * i / steps)
            await self._event('mouseMoved', button='none')

    async def down(self, *, button='left', click_count=1):
        self._buttons |= BUTTONS[button]
        await self._event('mousePressed', button=button, clickCount=click_count)

    async def up(self, *, button='left', click_count=1):
        self._buttons &= ~BUTTONS[button]
        await self._event('mouseReleased', button=button, clickCount=click_count)

    async def click(self, x, y, *, delay=0, button='left', click_count=1):
        await self.move(x, y)
        await self._clicks(button, click_count, delay)

    async def _clicks(self, button, click_count, delay):
        if button not in BUTTONS:
            raise Error('button: expected one of (left|right|middle)')
        for i in range(1, click_count + 1):
            await self.down(button=button, click_count=i)
            await asyncio.sleep(delay / 1000)
            await self.up(button=button, click_count=i)

    async def dblclick(self, x, y, *, delay=0, button='left'):
        await self.click(x, y, delay=delay, button=button, click_count=2)

    async def wheel(self, delta_x, delta_y):
        await self._event('mouseWheel', button='none', deltaX=delta_x, deltaY=delta_y)
