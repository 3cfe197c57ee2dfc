import base64
import mimetypes
import os

from .errors import Error
from .selector import parts_of
from .surface import Surface, refuse_options, text


def payload(file):
    """A file as `in-page.js` takes it: the browser is somewhere else, and has none of the files that are here."""
    if not isinstance(file, dict):
        with open(file, 'rb') as opened:
            file = {'name': os.path.basename(file), 'mimeType': mimetypes.guess_type(file)[0] or '', 'buffer': opened.read()}
    return {'name': file['name'], 'type': file['mimeType'], 'data': base64.b64encode(file['buffer']).decode()}


class Acts(Surface):
    """What may be done to one element, however it is found."""

    async def click(self, *, timeout=None, button='left', click_count=1, delay=0, force=False, no_wait_after=None, modifiers=None, **others):
        refuse_options('click', others)
        keyboard = self._page.keyboard
        await self._point('click', timeout, force)
        held = [key for key in modifiers or () if key not in keyboard._held]
        try:
            for key in held:
                await keyboard.down('Control' if key == 'ControlOrMeta' else key)
            await self._page.mouse._clicks(button, click_count, delay)
        finally:
            for key in held:
                await keyboard.up('Control' if key == 'ControlOrMeta' else key)

    async def dblclick(self, **options):
        await self.click(**options, click_count=2)

    async def hover(self, *, timeout=None, force=False):
        await self._point('hover', timeout, force)

    async def _point(self, what, timeout, force):
        place = await self._until(what, lambda handle: self._page._on(handle, '(el, force) => trawl.place(el, force)', force), timeout)
        await self._page.mouse.move(place['x'], place['y'])

    async def focus(self, *, timeout=None):
        await self._until('focus', lambda handle: self._page._on(handle, '(el) => trawl.focus(el)'), timeout)

    async def blur(self, *, timeout=None):
        await self._tell('blur', timeout)

    async def fill(self, value, *, timeout=None, force=False, no_wait_after=None):
        text(value, 'fill')
        done = await self._until('fill', lambda handle: self._page._on(handle, '(el, fill) => trawl.focus(el, fill)', {'text': value, 'force': force}), timeout)
        if done.get('set'):
            return
        if done.get('empty'):
            await self._page.keyboard.press('Delete')
        else:
            await self._page.keyboard.insert_text(value)

    async def clear(self, **options):
        await self.fill('', **options)

    async def type(self, text, *, delay=0, timeout=None, no_wait_after=None):
        await self.focus(timeout=timeout)
        await self._page.keyboard.type(text, delay=delay)

    async def press_sequentially(self, text, **options):
        await self.type(text, **options)

    async def press(self, key, *, delay=0, timeout=None, no_wait_after=None):
        await self.focus(timeout=timeout)
        await self._page.keyboard.press(key, delay=delay)

    async def check(self, **options):
        await self.set_checked(True, **options)

    async def uncheck(self, **options):
        await self.set_checked(False, **options)

    async def set_checked(self, checked, *, timeout=None, **options):
        span = self._page._span(timeout)
        if await self._tell('is_checked', span) != checked:
            await self.click(timeout=span, **options)
            if await self._tell('is_checked', span) != checked:
                raise Error('Clicking the checkbox did not change its state')

    async def select_option(self, value=None, *, index=None, label=None, timeout=None, force=False, no_wait_after=None):
        def listed(one):
            return [] if one is None else list(one) if isinstance(one, (list, tuple)) else [one]

        wanted = [{'value': one} for one in listed(value)] + [{'index': one} for one in listed(index)] + [{'label': one} for one in listed(label)]
        done = await self._until('select_option', lambda handle: self._page._on(handle, '(el, wanted, force) => trawl.select(el, wanted, force)', wanted, force), timeout)
        return done['values']

    async def set_input_files(self, files, *, timeout=None, no_wait_after=None):
        given = files if isinstance(files, (list, tuple)) else [files]
        await self._tell('set_files', timeout, [payload(one) for one in given])

    async def evaluate(self, expression, arg=None, *, timeout=None):
        found = await self.element_handle(timeout=timeout)
        return await self._page._evaluate(expression, found, arg)

    async def screenshot(self, *, timeout=None, **options):
        span = self._page._span(timeout)
        await self.scroll_into_view_if_needed(timeout=span)
        shot = self._page._shot(await self._tell('page_box', span), **options)
        return await self._page._within(f'{type(self).__name__}.screenshot', shot, span)

    async def scroll_into_view_if_needed(self, *, timeout=None):
        await self._tell('scroll', timeout)

    async def _tell(self, what, timeout=None, argument=None):
        return (await self._until(what, lambda handle: self._page._on(handle, '(el, what, argument) => trawl.tell(el, what, argument)', what, argument), timeout))['value']

    async def get_attribute(self, name, *, timeout=None):
        return await self._tell('get_attribute', timeout, name)


def _telling(name):
    async def tell(self, *, timeout=None):
        return await self._tell(name, timeout)

    tell.__name__ = name
    return tell


for _name in ('inner_text', 'text_content', 'inner_html', 'input_value', 'is_enabled', 'is_disabled', 'is_editable', 'is_checked', 'bounding_box', 'select_text'):
    setattr(Acts, _name, _telling(_name))


class ElementHandle(Acts):
    _handle_for_scripts = True

    def __init__(self, page, handle):
        self._page = page
        self._handle = handle

    async def _until(self, what, attempt, timeout=None):
        async def once():
            return await attempt(self._handle)

        return await self._page._retry(f'ElementHandle.{what}', once, timeout)

    async def element_handle(self, *, timeout=None):
        return self

    async def is_visible(self):
        return await self._tell('is_visible')

    async def is_hidden(self):
        return await self._tell('is_hidden')

    async def query_selector(self, selector):
        found = await self._page._handles(parts_of(selector), self._handle)
        return found[0] if found else None

    async def query_selector_all(self, selector):
        return await self._page._handles(parts_of(selector), self._handle)
