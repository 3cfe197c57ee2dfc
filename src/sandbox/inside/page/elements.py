import asyncio

from .errors import Error
from .selector import parts_of
from .surface import Surface, plain, refuse_options


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
                box = await self._page._on(handle, '(el) => trawl.told.bounding_box(el)')
                return {'x': box['x'] + box['width'] / 2, 'y': box['y'] + box['height'] / 2}
            return await self._page._on(handle, '(el) => trawl.place(el)')

        place = await self._until(what, attempt, timeout)
        await self._page.mouse.move(place['x'], place['y'])

    async def focus(self, timeout=None):
        await self._until('focus', lambda handle: self._page._on(handle, '(el) => trawl.focus(el)'), timeout)

    async def fill(self, value, timeout=None, force=False, no_wait_after=None):
        plain(value, 'fill')
        done = await self._until('fill', lambda handle: self._page._on(handle, '(el, text) => trawl.focus(el, { text })', value), timeout)
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
        done = await self._until('select_option', lambda handle: self._page._on(handle, '(el, wanted) => trawl.select(el, wanted)', wanted), timeout)
        return done['values']

    async def scroll_into_view_if_needed(self, timeout=None):
        await self._until('scroll_into_view_if_needed', lambda handle: self._page._on(handle, "(el) => { el.scrollIntoView({ block: 'center', behavior: 'instant' }); return {} }"), timeout)

    async def _tell(self, what, timeout=None, argument=None):
        async def attempt(handle):
            return {'value': await self._page._on(handle, '(el, what, argument) => trawl.told[what](el, argument) ?? null', what, argument)}

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
