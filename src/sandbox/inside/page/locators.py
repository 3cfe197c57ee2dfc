from .elements import Acts, ElementHandle
from .selector import parts_of
from .surface import Surface, plain, refuse_options


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
        return await self._page._inside('(parts) => trawl.find(parts).length', self._parts)

    async def all(self):
        return [self.nth(i) for i in range(await self.count())]

    async def all_inner_texts(self):
        return await self._page._inside('(parts) => trawl.find(parts).map((el) => el.innerText)', self._parts)

    async def all_text_contents(self):
        return await self._page._inside('(parts) => trawl.find(parts).map((el) => el.textContent)', self._parts)

    async def is_visible(self, timeout=None):
        return await self._page._inside("(parts) => trawl.state(parts, 'visible')", self._parts)

    async def is_hidden(self, timeout=None):
        return not await self.is_visible()

    async def wait_for(self, state='visible', timeout=None):
        await self._page._wait_state(self._parts, self._name, state, timeout)

    async def element_handle(self, timeout=None):
        async def attempt(handle):
            return {'handle': ElementHandle(self._page, handle)}

        return (await self._until('element_handle', attempt, timeout))['handle']
