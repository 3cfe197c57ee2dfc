import asyncio
import re

from .errors import Error
from .surface import Surface

KEYS = {
    'Enter': (13, '\r'), 'Tab': (9, None), 'Backspace': (8, None), 'Delete': (46, None), 'Escape': (27, None), 'Space': (32, ' '),
    'ArrowLeft': (37, None), 'ArrowUp': (38, None), 'ArrowRight': (39, None), 'ArrowDown': (40, None), 'Home': (36, None), 'End': (35, None),
    'PageUp': (33, None), 'PageDown': (34, None), 'Insert': (45, None), 'Shift': (16, None), 'Control': (17, None), 'Alt': (18, None), 'Meta': (91, None),
    **{f'F{i}': (111 + i, None) for i in range(1, 13)},
}
MODIFIERS = {'Alt': 1, 'Control': 2, 'Meta': 4, 'Shift': 8}
BUTTONS = {'left': 1, 'right': 2, 'middle': 4}


class Keyboard(Surface):
    def __init__(self, page):
        self._page = page
        self._held = set()

    def _event(self, kind, key):
        code, text = KEYS.get(key, (None, None))
        if code is None:
            if len(key) != 1:
                raise Error(f'Unknown key: "{key}"')
            code, text = ord(key.upper()), key
        params = {'type': kind, 'key': ' ' if key == 'Space' else key, 'windowsVirtualKeyCode': code, 'modifiers': sum(MODIFIERS[one] for one in self._held)}
        params['code'] = f'Key{key.upper()}' if len(key) == 1 and key.isalpha() and key.isascii() else f'Digit{key}' if key.isdigit() else key
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

    async def press(self, key, delay=0):
        keys = re.findall(r'(?:[^+]+|\+(?=$))(?:\+(?=.)|$)|\+$', key) or [key]
        keys = [one if one == '+' else one.rstrip('+') if len(one) > 1 else one for one in keys]
        keys = ['Control' if one == 'ControlOrMeta' else one for one in keys]
        for one in keys:
            await self.down(one)
        await asyncio.sleep(delay / 1000)
        for one in reversed(keys):
            await self.up(one)

    async def insert_text(self, text):
        await self._page._send('Input.insertText', {'text': text})

    async def type(self, text, delay=0):
        for char in text:
            if char == '\n':
                await self.press('Enter')
            elif char.isascii() and char.isprintable():
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

    async def move(self, x, y, steps=1):
        from_x, from_y = self._at
        for i in range(1, steps + 1):
            self._at = (from_x + (x - from_x) * i / steps, from_y + (y - from_y) * i / steps)
            await self._event('mouseMoved', button='none')

    async def down(self, button='left', click_count=1):
        self._buttons |= BUTTONS[button]
        await self._event('mousePressed', button=button, clickCount=click_count)

    async def up(self, button='left', click_count=1):
        self._buttons &= ~BUTTONS[button]
        await self._event('mouseReleased', button=button, clickCount=click_count)

    async def click(self, x, y, button='left', click_count=1, delay=0):
        await self.move(x, y)
        for i in range(1, click_count + 1):
            await self.down(button, i)
            await asyncio.sleep(delay / 1000)
            await self.up(button, i)

    async def dblclick(self, x, y, button='left'):
        await self.click(x, y, button, 2)

    async def wheel(self, delta_x, delta_y):
        await self._event('mouseWheel', button='none', deltaX=delta_x, deltaY=delta_y)
