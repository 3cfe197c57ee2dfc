"""Playwright's names for what is done most with a page, over the DevTools protocol and with the standard library alone.

What is not here raises an error that names it.
"""
import asyncio
import base64
import json
import re
import socket
import time

DEFAULT_MS = 30000
LOAD_STATES = {'load': 'load', 'domcontentloaded': 'DOMContentLoaded', 'networkidle': 'networkIdle', 'commit': 'init'}


class Error(Exception):
    # Told without a module, which nobody could import.
    __module__ = 'builtins'


class TimeoutError(Error):
    __module__ = 'builtins'


class Surface:
    """What is not known is said by name."""

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        raise NotImplementedError(f'{type(self).__name__}.{name} is not available here; code in node has the whole interface of Playwright.')


HELPER = r'''(() => {
  const visible = (el) => { const r = el.getBoundingClientRect(); return r.width > 0 && r.height > 0 && getComputedStyle(el).visibility === 'visible' }
  const squeezed = (text) => (text || '').replace(/\s+/g, ' ').trim()
  const has = (text, wanted, exact) => exact ? squeezed(text) === squeezed(wanted) : squeezed(text).toLowerCase().includes(squeezed(wanted).toLowerCase())
  const shown = (el) => el.tagName === 'INPUT' && /^(button|submit|reset)$/.test(el.type) ? el.value : el.textContent
  const all = (root, css) => [...root.querySelectorAll(css)]
  const byText = (root, wanted, exact) => all(root, '*').filter((el) => !/^(SCRIPT|STYLE|NOSCRIPT|HEAD|TITLE)$/.test(el.tagName) && has(shown(el), wanted, exact) && ![...el.children].some((child) => has(shown(child), wanted, exact)))
  const inputRoles = { button: 'button', submit: 'button', reset: 'button', image: 'button', checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox', hidden: '' }
  const tagRoles = { BUTTON: 'button', TEXTAREA: 'textbox', UL: 'list', OL: 'list', LI: 'listitem', TABLE: 'table', TR: 'row', TD: 'cell', TH: 'columnheader', NAV: 'navigation', MAIN: 'main', ARTICLE: 'article', IMG: 'img', OPTION: 'option', DIALOG: 'dialog', P: 'paragraph', PROGRESS: 'progressbar', ASIDE: 'complementary', HEADER: 'banner', FOOTER: 'contentinfo', H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading', H6: 'heading', HR: 'separator', SUMMARY: 'button', FIELDSET: 'group' }
  const role = (el) => {
    const given = squeezed(el.getAttribute('role')).split(' ')[0]
    if (given) return given
    if (el.tagName === 'A' || el.tagName === 'AREA') return el.hasAttribute('href') ? 'link' : ''
    if (el.tagName === 'INPUT') return inputRoles[el.type] ?? (el.hasAttribute('list') ? 'combobox' : 'textbox')
    if (el.tagName === 'SELECT') return el.multiple || el.size > 1 ? 'listbox' : 'combobox'
    if (el.tagName === 'FORM' || el.tagName === 'SECTION') return name(el) ? { FORM: 'form', SECTION: 'region' }[el.tagName] : ''
    return tagRoles[el.tagName] ?? ''
  }
  const labels = (el) => [...(el.labels || [])].map((label) => label.textContent)
  const name = (el) => {
    const by = squeezed(el.getAttribute('aria-labelledby'))
    if (by) return squeezed(by.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' '))
    const own = el.getAttribute('aria-label') || labels(el).join(' ')
    if (squeezed(own)) return squeezed(own)
    if (el.tagName === 'IMG') return squeezed(el.alt)
    if (el.tagName === 'INPUT') return squeezed(/^(button|submit|reset)$/.test(el.type) ? el.value || { submit: 'Submit', reset: 'Reset' }[el.type] : el.title || el.placeholder)
    if (/^(TEXTAREA|SELECT|FORM|SECTION|NAV|DIALOG|TABLE|UL|OL|MAIN)$/.test(el.tagName)) return squeezed(el.title || el.placeholder)
    return squeezed(el.textContent + ' ' + [...el.querySelectorAll('img[alt]')].map((img) => img.alt).join(' ')) || squeezed(el.title)
  }
  const hidden = (el) => el.closest('[aria-hidden=true]') !== null || getComputedStyle(el).display === 'none' || getComputedStyle(el).visibility !== 'visible'
  const steps = {
    css: (root, { value }) => all(root, value),
    xpath: (root, { value }) => { const found = document.evaluate(value, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null); return Array.from({ length: found.snapshotLength }, (_, i) => found.snapshotItem(i)) },
    text: (root, { value, exact }) => byText(root, value, exact),
    role: (root, { value, name: wanted, exact }) => all(root, '*').filter((el) => role(el) === value && !hidden(el) && (wanted === null || has(name(el), wanted, exact))),
    label: (root, { value, exact }) => all(root, 'input, textarea, select, button, [aria-label], [aria-labelledby]').filter((el) => [...labels(el), el.getAttribute('aria-label') || '', el.hasAttribute('aria-labelledby') ? name(el) : ''].some((text) => text && has(text, value, exact))),
    attribute: (root, { attribute, value, exact }) => all(root, `[${attribute}]`).filter((el) => attribute === 'data-testid' ? el.getAttribute(attribute) === value : has(el.getAttribute(attribute), value, exact)),
  }
  const narrowing = {
    nth: (found, { value }) => { const one = found.at(value); return one === undefined ? [] : [one] },
    hasText: (found, { value }) => found.filter((el) => has(el.textContent, value, false)),
    visible: (found) => found.filter(visible),
  }
  const find = (parts, root) => {
    let found = [root || document]
    for (const part of parts) found = narrowing[part.kind] ? narrowing[part.kind](found, part) : [...new Set(found.flatMap((one) => steps[part.kind](one, part)))]
    return found
  }
  const frame = () => new Promise((resolve) => { const timer = setTimeout(resolve, 100); requestAnimationFrame(() => { clearTimeout(timer); resolve() }) })
  const enabled = (el) => !(el.disabled || el.closest('fieldset:disabled') || el.getAttribute('aria-disabled') === 'true')
  const place = async (el) => {
    if (!el.isConnected) return { wait: 'element is not attached to the DOM' }
    if (!visible(el)) return { wait: 'element is not visible' }
    if (!enabled(el)) return { wait: 'element is not enabled' }
    el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const before = el.getBoundingClientRect()
    await frame()
    const r = el.getBoundingClientRect()
    if (r.x !== before.x || r.y !== before.y || r.width !== before.width || r.height !== before.height) return { wait: 'element is not stable' }
    const [x, y] = [r.x + r.width / 2, r.y + r.height / 2]
    let hit = document.elementFromPoint(x, y)
    while (hit && hit.shadowRoot && hit.shadowRoot.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y)
    const label = hit && hit.closest('label')
    if (!hit || !(el.contains(hit) || hit.contains(el) && hit.closest('button, a') === hit || label && label.control === el || el.getRootNode() !== document)) return { wait: hit ? `<${hit.tagName.toLowerCase()}> intercepts pointer events` : 'element is outside of the viewport' }
    return { x, y }
  }
  const changed = (el) => { for (const type of ['input', 'change']) el.dispatchEvent(new Event(type, { bubbles: true, composed: true })) }
  const focus = (el, fill) => {
    if (!el.isConnected) return { wait: 'element is not attached to the DOM' }
    if (!fill) { el.focus(); return {} }
    if (!visible(el)) return { wait: 'element is not visible' }
    if (!enabled(el) || el.readOnly) return { wait: 'element is not editable' }
    if (el.tagName === 'INPUT' && /^(color|date|time|datetime-local|month|range|week)$/.test(el.type)) { el.focus(); el.value = fill.text; changed(el); return { set: true } }
    if (el.tagName === 'INPUT' && /^(checkbox|radio|file|button|submit|reset|image|hidden)$/.test(el.type)) return { error: `Input of type "${el.type}" cannot be filled` }
    el.focus()
    if (el.tagName === 'INPUT' || el.tagName === 'TEXTAREA') el.select()
    else if (el.isContentEditable) { const range = document.createRange(); range.selectNodeContents(el); const s = getSelection(); s.removeAllRanges(); s.addRange(range) }
    else return { error: 'Element is not an <input>, <textarea> or [contenteditable] element' }
    return { empty: fill.text === '' }
  }
  const select = (el, wanted) => {
    if (el.tagName !== 'SELECT') return { error: 'Element is not a <select> element' }
    if (!enabled(el)) return { wait: 'element is not enabled' }
    const matches = (option, i) => wanted.some((one) => one.index === i || one.value !== undefined && (option.value === one.value || one.either && squeezed(option.label) === squeezed(one.value)) || one.label !== undefined && squeezed(option.label) === squeezed(one.label))
    const picked = [...el.options].filter(matches)
    if (picked.length === 0 && wanted.length > 0) return { wait: 'did not find some options' }
    if (!el.multiple) picked.splice(1)
    for (const option of el.options) option.selected = picked.includes(option)
    changed(el)
    return { values: picked.map((option) => option.value) }
  }
  const checked = (el) => el.getAttribute('role') ? el.getAttribute('aria-checked') === 'true' : el.checked === true
  const told = {
    inner_text: (el) => el.innerText, text_content: (el) => el.textContent, inner_html: (el) => el.innerHTML, input_value: (el) => el.value,
    get_attribute: (el, attribute) => el.getAttribute(attribute), is_visible: visible, is_enabled: enabled, is_checked: checked, is_disabled: (el) => !enabled(el), is_hidden: (el) => !visible(el),
    bounding_box: (el) => { const r = el.getBoundingClientRect(); return { x: r.x, y: r.y, width: r.width, height: r.height } },
  }
  const state = (parts, wanted) => {
    const found = find(parts)
    const one = found[0]
    if (wanted === 'attached') return one !== undefined
    if (wanted === 'detached') return one === undefined
    return wanted === 'visible' ? one !== undefined && visible(one) : one === undefined || !visible(one)
  }
  globalThis.__trawl = { find, place, focus, select, checked, told, state }
})()'''


class Line:
    """One connection to the browser, with a session for each page."""

    def __init__(self):
        self.last = 0
        self.waiting = {}
        self.listeners = {}
        self.left = False

    async def open(self, descriptor):
        self.reader, self.writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=descriptor), limit=128 * 1024 * 1024)
        self.task = asyncio.ensure_future(self.listen())

    async def listen(self):
        try:
            while True:
                self.hear(json.loads((await self.reader.readuntil(b'\0'))[:-1]))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.left = True
            for future in self.waiting.values():
                if not future.done():
                    future.set_exception(Error('The browser is gone.'))

    def hear(self, message):
        if 'id' in message:
            future = self.waiting.pop(message['id'], None)
            if future is None or future.done():
                return
            if 'error' in message:
                future.set_exception(Error(message['error'].get('message', 'the browser refused')))
            else:
                future.set_result(message.get('result', {}))
            return
        listener = self.listeners.get(message.get('sessionId', ''))
        if listener is not None:
            listener(message.get('method'), message.get('params', {}))

    def send(self, method, params=None, session=''):
        if self.left:
            raise Error('The browser is gone.')
        self.last += 1
        future = asyncio.get_running_loop().create_future()
        self.waiting[self.last] = future
        message = {'id': self.last, 'method': method, 'params': params or {}}
        if session:
            message['sessionId'] = session
        self.writer.write(json.dumps(message).encode() + b'\0')
        return future


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


PSEUDO = re.compile(r'''^(?P<css>.*?):(?P<name>has-text|text|text-is)\(\s*(?P<quote>["'])(?P<text>.*)(?P=quote)\s*\)$''', re.S)


def parts_of(selector):
    """The parts of a selector of Playwright; Error for engines that are not here."""
    parts = []
    for piece in re.split(r'\s*>>\s*', selector.strip()):
        engine, _, rest = piece.partition('=')
        if re.fullmatch(r'[\w-]+', engine) and engine in ('css', 'text', 'xpath', 'id', 'data-testid', 'nth', 'visible'):
            parts.append(engine_part(engine, rest))
        elif re.fullmatch(r'(role|internal:[\w-]+|_react|_vue|data-test|data-test-id)', engine) and rest:
            raise NotImplementedError(f'The selector engine "{engine}" is not available here.')
        elif piece.startswith('//') or piece.startswith('..') or piece.startswith('(//'):
            parts.append({'kind': 'xpath', 'value': piece})
        elif len(piece) > 1 and piece[0] in '"\'' and piece[-1] == piece[0]:
            parts.append({'kind': 'text', 'value': piece[1:-1], 'exact': True})
        else:
            parts += css_parts(piece)
    return parts


def engine_part(engine, rest):
    if engine == 'text':
        quoted = len(rest) > 1 and rest[0] in '"\'' and rest[-1] == rest[0]
        return {'kind': 'text', 'value': rest[1:-1] if quoted else rest, 'exact': quoted}
    if engine == 'nth':
        return {'kind': 'nth', 'value': int(rest)}
    if engine == 'visible':
        return {'kind': 'visible'}
    if engine in ('id', 'data-testid'):
        return {'kind': 'css', 'value': f'[{engine}={json.dumps(rest)}]'}
    return {'kind': engine, 'value': rest}


def css_parts(css):
    if css.endswith(':visible'):
        return css_parts(css[: -len(':visible')] or '*') + [{'kind': 'visible'}]
    found = PSEUDO.match(css)
    if found and found['name'] == 'has-text':
        return [{'kind': 'css', 'value': found['css'] or '*'}, {'kind': 'hasText', 'value': found['text']}]
    odd = re.search(r':(has-text|text|text-is|text-matches|visible|nth-match|right-of|left-of|above|below|near)\b', css)
    if odd:
        raise NotImplementedError(f'":{odd[1]}" at this place of a selector is not available here.')
    return [{'kind': 'css', 'value': css}]


def plain(text, what):
    if not isinstance(text, str):
        raise NotImplementedError(f'{what} takes texts only here.')
    return text


class Acts(Surface):
    """What may be done to one element, however it is found."""

    async def click(self, timeout=None, button='left', click_count=1, delay=0, force=False, no_wait_after=None, modifiers=None, **others):
        refuse_options('click', others)
        await self._point('click', timeout, force)
        await self._page.mouse.down(button)
        await asyncio.sleep(delay / 1000)
        await self._page.mouse.up(button)
        if click_count == 2:
            await self._page.mouse.down(button, 2)
            await self._page.mouse.up(button, 2)

    async def dblclick(self, timeout=None, **others):
        await self.click(timeout=timeout, click_count=2, **others)

    async def hover(self, timeout=None):
        await self._point('hover', timeout)

    async def _point(self, what, timeout, force=False):
        async def attempt(handle):
            if force:
                box = await self._page._on(handle, '(el) => __trawl.told.bounding_box(el)')
                return {'x': box['x'] + box['width'] / 2, 'y': box['y'] + box['height'] / 2}
            return await self._page._on(handle, '(el) => __trawl.place(el)')

        place = await self._until(what, attempt, timeout)
        await self._page.mouse.move(place['x'], place['y'])

    async def focus(self, timeout=None):
        await self._until('focus', lambda handle: self._page._on(handle, '(el) => __trawl.focus(el)'), timeout)

    async def fill(self, value, timeout=None, force=False, no_wait_after=None):
        plain(value, 'fill')
        done = await self._until('fill', lambda handle: self._page._on(handle, '(el, text) => __trawl.focus(el, { text })', value), timeout)
        if done.get('set'):
            return
        if done.get('empty'):
            await self._page.keyboard.press('Delete')
        else:
            await self._page.keyboard.insert_text(value)

    async def clear(self, timeout=None):
        await self.fill('', timeout=timeout)

    async def type(self, text, delay=0, timeout=None):
        await self.focus(timeout)
        await self._page.keyboard.type(text, delay)

    async def press_sequentially(self, text, delay=0, timeout=None):
        await self.type(text, delay, timeout)

    async def press(self, key, delay=0, timeout=None):
        await self.focus(timeout)
        await self._page.keyboard.press(key, delay)

    async def check(self, timeout=None):
        await self.set_checked(True, timeout)

    async def uncheck(self, timeout=None):
        await self.set_checked(False, timeout)

    async def set_checked(self, checked, timeout=None):
        if await self._tell('is_checked', timeout) != checked:
            await self.click(timeout=timeout)
            if await self._tell('is_checked', timeout) != checked:
                raise Error('Clicking the checkbox did not change its state')

    async def select_option(self, value=None, index=None, label=None, timeout=None):
        def listed(one):
            return [] if one is None else list(one) if isinstance(one, (list, tuple)) else [one]

        wanted = [{'value': one, 'either': True} for one in listed(value)] + [{'index': one} for one in listed(index)] + [{'label': one} for one in listed(label)]
        done = await self._until('select_option', lambda handle: self._page._on(handle, '(el, wanted) => __trawl.select(el, wanted)', wanted), timeout)
        return done['values']

    async def scroll_into_view_if_needed(self, timeout=None):
        await self._until('scroll_into_view_if_needed', lambda handle: self._page._on(handle, "(el) => { el.scrollIntoView({ block: 'center', behavior: 'instant' }); return {} }"), timeout)

    async def _tell(self, what, timeout=None, argument=None):
        async def attempt(handle):
            return {'value': await self._page._on(handle, '(el, what, argument) => __trawl.told[what](el, argument) ?? null', what, argument)}

        return (await self._until(what, attempt, timeout))['value']

    async def inner_text(self, timeout=None):
        return await self._tell('inner_text', timeout)

    async def text_content(self, timeout=None):
        return await self._tell('text_content', timeout)

    async def inner_html(self, timeout=None):
        return await self._tell('inner_html', timeout)

    async def input_value(self, timeout=None):
        return await self._tell('input_value', timeout)

    async def get_attribute(self, name, timeout=None):
        return await self._tell('get_attribute', timeout, name)

    async def is_enabled(self, timeout=None):
        return await self._tell('is_enabled', timeout)

    async def is_disabled(self, timeout=None):
        return await self._tell('is_disabled', timeout)

    async def is_checked(self, timeout=None):
        return await self._tell('is_checked', timeout)

    async def bounding_box(self, timeout=None):
        return await self._tell('bounding_box', timeout)


def refuse_options(what, others):
    for name in others:
        raise NotImplementedError(f'The option {name} of {what} is not available here.')


class ElementHandle(Acts):
    def __init__(self, page, handle):
        self._page = page
        self._handle = handle

    async def _until(self, what, attempt, timeout=None):
        async def once():
            return await attempt(self._handle)

        return await self._page._retry(f'ElementHandle.{what}', once, timeout)

    async def is_visible(self):
        return await self._tell('is_visible')

    async def is_hidden(self):
        return await self._tell('is_hidden')

    async def query_selector(self, selector):
        found = await self._page._handles(parts_of(selector), self._handle)
        return found[0] if found else None

    async def query_selector_all(self, selector):
        return await self._page._handles(parts_of(selector), self._handle)


class Finders(Surface):
    """Ways to name elements, of a page and of a locator."""

    def locator(self, selector, has_text=None, **others):
        refuse_options('locator', others)
        parts = parts_of(selector) + ([] if has_text is None else [{'kind': 'hasText', 'value': plain(has_text, 'has_text')}])
        return self._more(parts, f'locator({selector!r})')

    def get_by_role(self, role, name=None, exact=False, **others):
        refuse_options('get_by_role', others)
        return self._more([{'kind': 'role', 'value': role, 'name': None if name is None else plain(name, 'name'), 'exact': exact}], f'get_by_role({role!r}' + ('' if name is None else f', name={name!r}') + ')')

    def get_by_text(self, text, exact=False):
        return self._more([{'kind': 'text', 'value': plain(text, 'get_by_text'), 'exact': exact}], f'get_by_text({text!r})')

    def get_by_label(self, text, exact=False):
        return self._more([{'kind': 'label', 'value': plain(text, 'get_by_label'), 'exact': exact}], f'get_by_label({text!r})')

    def _attribute(self, attribute, text, exact, what):
        return self._more([{'kind': 'attribute', 'attribute': attribute, 'value': plain(text, what), 'exact': exact}], f'{what}({text!r})')

    def get_by_placeholder(self, text, exact=False):
        return self._attribute('placeholder', text, exact, 'get_by_placeholder')

    def get_by_alt_text(self, text, exact=False):
        return self._attribute('alt', text, exact, 'get_by_alt_text')

    def get_by_title(self, text, exact=False):
        return self._attribute('title', text, exact, 'get_by_title')

    def get_by_test_id(self, test_id):
        return self._attribute('data-testid', test_id, True, 'get_by_test_id')


class Locator(Finders, Acts):
    def __init__(self, page, parts, name, strict=True):
        self._page, self._parts, self._name, self._strict = page, parts, name, strict

    def __repr__(self):
        return f'<Locator {self._name}>'

    def _more(self, parts, name):
        return Locator(self._page, self._parts + parts, f'{self._name}.{name}')

    async def _until(self, what, attempt, timeout=None):
        async def once():
            handles = await self._page._handles(self._parts)
            if not handles:
                return {'wait': f'waiting for {self._name}'}
            if self._strict and len(handles) > 1:
                return {'error': f'strict mode violation: {self._name} resolved to {len(handles)} elements'}
            return await attempt(handles[0]._handle)

        return await self._page._retry(f'Locator.{what}', once, timeout)

    def nth(self, index):
        return self._more([{'kind': 'nth', 'value': index}], f'nth({index})')

    @property
    def first(self):
        return self.nth(0)

    @property
    def last(self):
        return self.nth(-1)

    def filter(self, has_text=None, **others):
        refuse_options('filter', others)
        return self._more([] if has_text is None else [{'kind': 'hasText', 'value': plain(has_text, 'has_text')}], f'filter(has_text={has_text!r})')

    async def count(self):
        return await self._page._inside('(parts) => __trawl.find(parts).length', self._parts)

    async def all(self):
        return [self.nth(i) for i in range(await self.count())]

    async def all_inner_texts(self):
        return await self._page._inside('(parts) => __trawl.find(parts).map((el) => el.innerText)', self._parts)

    async def all_text_contents(self):
        return await self._page._inside('(parts) => __trawl.find(parts).map((el) => el.textContent)', self._parts)

    async def is_visible(self, timeout=None):
        return await self._page._inside("(parts) => __trawl.state(parts, 'visible')", self._parts)

    async def is_hidden(self, timeout=None):
        return not await self.is_visible()

    async def wait_for(self, state='visible', timeout=None):
        await self._page._wait_state(self._parts, self._name, state, timeout)

    async def element_handle(self, timeout=None):
        async def attempt(handle):
            return {'handle': ElementHandle(self._page, handle)}

        return (await self._until('element_handle', attempt, timeout))['handle']


class Response(Surface):
    def __init__(self, told):
        self.status, self.url, self.headers = told['status'], told['url'], {name.lower(): value for name, value in told.get('headers', {}).items()}
        self.status_text = told.get('statusText', '')

    @property
    def ok(self):
        return 200 <= self.status <= 299


FUNCTION = re.compile(r'^\s*(async\s+)?(function\b|\([^()]*(\([^()]*\)[^()]*)*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)')


class Page(Finders):
    def __init__(self, context, session, target):
        self.context, self._session, self._target = context, session, target
        self.keyboard, self.mouse = Keyboard(self), Mouse(self)
        self._world = None
        self._frame = None
        self._url = target.get('url', '')
        self._loader = None
        self._reached = set()
        self._responses = {}
        self._news = asyncio.Event()
        self._closed = False
        self._default = DEFAULT_MS
        self._default_navigation = None

    def __repr__(self):
        return f'<Page url={self._url!r}>'

    def _more(self, parts, name):
        return Locator(self, parts, name)

    def _send(self, method, params=None):
        if self._closed:
            raise Error('Target page, context or browser has been closed')
        return self.context._line.send(method, params, self._session)

    async def _start(self):
        self.context._line.listeners[self._session] = self._hear
        tree = await self._send('Page.getFrameTree')
        self._frame = tree['frameTree']['frame']['id']
        self._loader = tree['frameTree']['frame'].get('loaderId')
        self._url = tree['frameTree']['frame']['url']
        await asyncio.gather(self._send('Page.enable'), self._send('Network.enable'), self._send('Page.setLifecycleEventsEnabled', {'enabled': True}), return_exceptions=True)

    def _hear(self, method, params):
        if method == 'Page.lifecycleEvent' and params['frameId'] == self._frame:
            if params['name'] == 'init' or params['loaderId'] != self._loader:
                self._loader, self._reached = params['loaderId'], set()
            self._reached.add(params['name'])
        elif method == 'Page.frameNavigated' and 'parentId' not in params['frame']:
            self._frame, self._world = params['frame']['id'], None
            self._url = params['frame']['url'] + params['frame'].get('urlFragment', '')
        elif method == 'Page.navigatedWithinDocument' and params['frameId'] == self._frame:
            self._url = params['url']
        elif method == 'Network.responseReceived' and params['type'] == 'Document':
            self._responses = {**self._responses, params['loaderId']: params['response']} if len(self._responses) < 20 else {params['loaderId']: params['response']}
        elif method == 'Page.javascriptDialogOpening':
            self._send('Page.handleJavaScriptDialog', {'accept': False}).add_done_callback(lambda future: future.exception())
        self._news.set()

    # Waiting

    def set_default_timeout(self, timeout):
        self._default = timeout

    def set_default_navigation_timeout(self, timeout):
        self._default_navigation = timeout

    async def _wait(self, what, reached, timeout):
        deadline = time.monotonic() + timeout / 1000
        while not reached():
            self._news.clear()
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f'{what}: Timeout {timeout}ms exceeded.')
            if self._closed:
                raise Error('Target page, context or browser has been closed')
            try:
                await asyncio.wait_for(self._news.wait(), left)
            except asyncio.TimeoutError:
                pass

    async def _retry(self, what, attempt, timeout=None):
        """Again and again until it neither waits nor fails for want of a document; `error` ends it."""
        timeout = self._default if timeout is None else timeout
        deadline = time.monotonic() + (timeout / 1000 if timeout else 86400)
        pause, why = 0.02, ''
        while True:
            try:
                answer = await asyncio.wait_for(attempt(), max(0.01, deadline - time.monotonic()))
            except asyncio.TimeoutError:
                answer = {'wait': why or 'the page does not answer'}
            except Error as error:
                if not gone(error) or self._closed:
                    raise
                self._world = None
                answer = {'wait': 'the page is being replaced'}
            if 'error' in answer:
                raise Error(f'{what}: {answer["error"]}')
            if 'wait' not in answer:
                return answer
            why = answer['wait']
            if time.monotonic() + pause >= deadline:
                raise TimeoutError(f'{what}: Timeout {timeout}ms exceeded.\n  - {why}')
            await asyncio.sleep(pause)
            pause = min(0.5, pause * 2)

    # Scripts

    async def _ours(self):
        if self._world is None:
            made = await self._send('Page.createIsolatedWorld', {'frameId': self._frame, 'worldName': 'trawl-python'})
            world = made['executionContextId']
            await self._send('Runtime.evaluate', {'expression': HELPER, 'contextId': world})
            self._world = world
        return self._world

    async def _call(self, function, arguments, by_value=True, **where):
        return value_of(await self._send('Runtime.callFunctionOn', {'functionDeclaration': function, 'arguments': arguments, 'returnByValue': by_value, 'awaitPromise': True, **where}))

    async def _inside(self, function, *arguments):
        async def attempt():
            return {'value': await self._call(function, [{'value': one} for one in arguments], executionContextId=await self._ours())}

        return (await self._retry('Page', attempt))['value']

    def _on(self, handle, function, *arguments):
        return self._call(function, [{'objectId': handle}, *({'value': one} for one in arguments)], objectId=handle)

    async def _handles(self, parts, root=None):
        world = await self._ours()
        where = {'executionContextId': world} if root is None else {'objectId': root}
        listed = await self._send('Runtime.callFunctionOn', {'functionDeclaration': '(parts, root) => __trawl.find(parts, root)', 'arguments': [{'value': parts}] + ([] if root is None else [{'objectId': root}]), **where})
        value_of(listed)
        told = await self._send('Runtime.getProperties', {'objectId': listed['result']['objectId'], 'ownProperties': True})
        return [ElementHandle(self, one['value']['objectId']) for one in told['result'] if one['name'].isdigit()]

    async def evaluate(self, expression, arg=None):
        given = {'objectId': arg._handle} if isinstance(arg, ElementHandle) else {'value': arg}
        if isinstance(arg, ElementHandle):
            return await self._call(expression, [given], objectId=arg._handle)
        if not FUNCTION.match(expression):
            return value_of(await self._send('Runtime.evaluate', {'expression': expression, 'returnByValue': True, 'awaitPromise': True}))
        window = await self._send('Runtime.evaluate', {'expression': 'globalThis'})
        return await self._call(expression, [given], objectId=window['result']['objectId'])

    # Going places

    async def goto(self, url, timeout=None, wait_until='load', referer=None):
        timeout = timeout if timeout is not None else self._default_navigation or self._default
        going = self._send('Page.navigate', {'url': url, **({'referrer': referer} if referer else {})})
        try:
            answer = await asyncio.wait_for(going, timeout / 1000)
        except asyncio.TimeoutError:
            raise TimeoutError(f'Page.goto: Timeout {timeout}ms exceeded.') from None
        if answer.get('errorText'):
            raise Error(f'Page.goto: {answer["errorText"]} at {url}')
        loader = answer.get('loaderId')
        if loader is None:
            return None
        await self._arrive('Page.goto', lambda: self._loader == loader, wait_until, timeout)
        return Response(self._responses[loader]) if loader in self._responses else None

    async def _arrive(self, what, there, wait_until, timeout):
        name = load_state(wait_until)
        await self._wait(what, lambda: there() and name in self._reached, timeout)

    async def reload(self, timeout=None, wait_until='load'):
        timeout, before = timeout or self._default, self._loader
        await self._send('Page.reload')
        await self._arrive('Page.reload', lambda: self._loader != before, wait_until, timeout)
        return Response(self._responses[self._loader]) if self._loader in self._responses else None

    async def _history(self, by, what, timeout, wait_until):
        told = await self._send('Page.getNavigationHistory')
        index = told['currentIndex'] + by
        if not 0 <= index < len(told['entries']):
            return None
        before, entry = (self._loader, self._url), told['entries'][index]
        await self._send('Page.navigateToHistoryEntry', {'entryId': entry['id']})
        await self._arrive(what, lambda: (self._loader, self._url) != before, wait_until, timeout or self._default)
        return Response(self._responses[self._loader]) if self._loader in self._responses else None

    async def go_back(self, timeout=None, wait_until='load'):
        return await self._history(-1, 'Page.go_back', timeout, wait_until)

    async def go_forward(self, timeout=None, wait_until='load'):
        return await self._history(1, 'Page.go_forward', timeout, wait_until)

    async def wait_for_load_state(self, state='load', timeout=None):
        name = load_state(state)
        # What was there before this connection told nothing of itself.
        ready = await self.evaluate('document.readyState')
        if name == 'load' and ready == 'complete' or name == 'DOMContentLoaded' and ready != 'loading' or name == 'init':
            return
        await self._wait('Page.wait_for_load_state', lambda: name in self._reached, timeout or self._default)

    async def wait_for_timeout(self, timeout):
        await asyncio.sleep(timeout / 1000)

    async def wait_for_url(self, url, timeout=None):
        pattern = url if isinstance(url, re.Pattern) else re.compile('^' + ''.join('.*' if one == '**' else '[^/]*' if one == '*' else re.escape(one) for one in re.split(r'(\*\*|\*)', url)) + '$')
        await self._wait('Page.wait_for_url', lambda: pattern.search(self._url), timeout or self._default)

    async def wait_for_function(self, expression, arg=None, timeout=None):
        async def attempt():
            value = await self.evaluate(expression, arg)
            return {'value': value} if value else {'wait': 'waiting for the function'}

        return (await self._retry('Page.wait_for_function', attempt, timeout))['value']

    async def _wait_state(self, parts, name, state, timeout):
        if state not in ('attached', 'detached', 'visible', 'hidden'):
            raise Error('state: expected one of (attached|detached|visible|hidden)')

        async def attempt():
            there = await self._call('(parts, state) => __trawl.state(parts, state)', [{'value': parts}, {'value': state}], executionContextId=await self._ours())
            return {} if there else {'wait': f'waiting for {name} to be {state}'}

        await self._retry('Locator.wait_for', attempt, timeout)

    async def wait_for_selector(self, selector, state='visible', timeout=None):
        parts = parts_of(selector)
        await self._wait_state(parts, f'locator({selector!r})', state, timeout)
        found = await self._handles(parts) if state in ('attached', 'visible') else []
        return found[0] if found else None

    # What is there

    @property
    def url(self):
        return self._url

    def is_closed(self):
        return self._closed

    async def title(self):
        return await self._inside('() => document.title')

    async def content(self):
        return await self._inside("() => (document.doctype ? new XMLSerializer().serializeToString(document.doctype) : '') + document.documentElement.outerHTML")

    async def set_content(self, html, timeout=None, wait_until='load'):
        await self._send('Page.setDocumentContent', {'frameId': self._frame, 'html': html})

    async def query_selector(self, selector):
        found = await self._handles(parts_of(selector))
        return found[0] if found else None

    async def query_selector_all(self, selector):
        return await self._handles(parts_of(selector))

    async def screenshot(self, path=None, full_page=False, type='png', quality=None, timeout=None, **others):
        refuse_options('screenshot', others)
        params = {'format': type, **({'quality': quality} if quality is not None else {})}
        if full_page:
            size = (await self._send('Page.getLayoutMetrics'))['cssContentSize']
            params.update({'captureBeyondViewport': True, 'clip': {'x': 0, 'y': 0, 'width': size['width'], 'height': size['height'], 'scale': 1}})
        data = base64.b64decode((await self._send('Page.captureScreenshot', params))['data'])
        if path is not None:
            with open(path, 'wb') as file:
                file.write(data)
        return data

    async def bring_to_front(self):
        await self._send('Page.bringToFront')

    async def close(self):
        await self.context._line.send('Target.closeTarget', {'targetId': self._target['targetId']})
        for _ in range(100):
            if self._closed:
                return
            await asyncio.sleep(0.02)


def _by_selector(name):
    async def act(self, selector, *arguments, timeout=None, strict=False, **options):
        one = Locator(self, parts_of(selector), f'locator({selector!r})', strict)
        return await getattr(one, name)(*arguments, timeout=timeout, **options)

    act.__name__ = name
    return act


for _name in ('click', 'dblclick', 'hover', 'focus', 'fill', 'type', 'press', 'check', 'uncheck', 'set_checked', 'select_option', 'inner_text', 'text_content', 'inner_html', 'input_value', 'get_attribute', 'is_enabled', 'is_disabled', 'is_checked', 'is_visible', 'is_hidden'):
    setattr(Page, _name, _by_selector(_name))


def load_state(name):
    if name not in LOAD_STATES:
        raise Error('expected one of (load|domcontentloaded|networkidle|commit)')
    return LOAD_STATES[name]


def gone(error):
    return bool(re.search(r'Cannot find context|Execution context was destroyed|Cannot find default execution context|Inspected target navigated|uniqueContextId not found|Could not find object', str(error)))


def value_of(answer):
    if 'exceptionDetails' in answer:
        thrown = answer['exceptionDetails'].get('exception', {})
        raise Error(str(thrown.get('description') or thrown.get('value') or answer['exceptionDetails'].get('text')))
    one = answer['result']
    if 'unserializableValue' in one:
        text = one['unserializableValue']
        return int(text[:-1]) if text.endswith('n') else float(text.replace('Infinity', 'inf'))
    return one.get('value')


class Context(Surface):
    def __init__(self, line):
        self._line = line
        self._pages = {}
        self._arrivals = asyncio.Event()
        self.browser = Browser(self)

    @property
    def pages(self):
        return [page for page in self._pages.values() if not page._closed]

    def _hear(self, method, params):
        if method == 'Target.attachedToTarget' and params['targetInfo']['type'] == 'page':
            page = Page(self, params['sessionId'], params['targetInfo'])
            self._pages[params['sessionId']] = page
            page._started = asyncio.ensure_future(page._start())
            # Whoever needs the page hears of its failure.
            page._started.add_done_callback(lambda future: future.cancelled() or future.exception())
            self._arrivals.set()
        elif method == 'Target.detachedFromTarget':
            page = self._pages.pop(params['sessionId'], None)
            if page is not None:
                page._closed = True
                page._news.set()

    async def _open(self):
        self._line.listeners[''] = self._hear
        await self._line.send('Target.setAutoAttach', {'autoAttach': True, 'waitForDebuggerOnStart': False, 'flatten': True})
        if not self._pages:
            return await self.new_page()
        await asyncio.gather(*(page._started for page in self._pages.values()), return_exceptions=True)
        return self.pages[0]

    async def new_page(self):
        target = (await self._line.send('Target.createTarget', {'url': 'about:blank'}))['targetId']
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            for page in self._pages.values():
                if page._target['targetId'] == target:
                    await page._started
                    return page
            self._arrivals.clear()
            await asyncio.wait_for(self._arrivals.wait(), 15)
        raise Error('The new page did not open.')

    async def cookies(self, urls=None):
        told = (await self._line.send('Storage.getCookies'))['cookies']
        wanted = [] if urls is None else [urls] if isinstance(urls, str) else list(urls)
        hosts = [re.sub(r'^[a-z]+://([^/:?#]+).*$', r'\1', url) for url in wanted]
        kept = [one for one in told if not hosts or any(host == one['domain'].lstrip('.') or host.endswith('.' + one['domain'].lstrip('.')) for host in hosts)]
        return [{'name': one['name'], 'value': one['value'], 'domain': one['domain'], 'path': one['path'], 'expires': one['expires'], 'httpOnly': one['httpOnly'], 'secure': one['secure'], 'sameSite': one.get('sameSite', 'Lax')} for one in kept]

    async def add_cookies(self, cookies):
        await self._line.send('Storage.setCookies', {'cookies': list(cookies)})

    async def clear_cookies(self):
        await self._line.send('Storage.clearCookies')

    def set_default_timeout(self, timeout):
        for page in self.pages:
            page._default = timeout


class Browser(Surface):
    def __init__(self, context):
        self._context = context

    @property
    def contexts(self):
        return [self._context]

    def is_connected(self):
        return not self._context._line.left

    async def new_page(self):
        return await self._context.new_page()


class Connection:
    """What code is given, and kept up to date."""

    def __init__(self, line, context, page):
        self.line, self.context, self.page = line, context, page

    @property
    def left(self):
        return self.line.left

    def names(self):
        return {'page': self.page, 'context': self.context, 'browser': self.context.browser, 'Error': Error, 'PlaywrightTimeoutError': TimeoutError}

    async def refresh(self, names, timeout):
        """The page stays one that is open, and waits end before the run does."""
        page = names.get('page')
        if isinstance(page, Page) and page._closed:
            names['page'] = self.context.pages[-1] if self.context.pages else await self.context.new_page()
        self.context.set_default_timeout(min(DEFAULT_MS, max(500, timeout - 1000)))


async def connect(descriptor):
    line = Line()
    await line.open(descriptor)
    context = Context(line)
    return Connection(line, context, await context._open())
