from .elements import Acts, ElementHandle
from .errors import Error
from .selector import parts_of, wanted
from .surface import Surface, refuse_options

STATES = ('checked', 'disabled', 'expanded', 'level', 'pressed', 'selected')


def narrowing(has_text=None, has_not_text=None, has=None, has_not=None, visible=None):
    """The parts for the options of `locator` and `filter`."""
    texts = [('hasText', has_text, 'has_text'), ('hasNotText', has_not_text, 'has_not_text')]
    inner = [('has', has), ('hasNot', has_not)]
    return [
        *({'kind': kind, 'value': wanted(text, name)} for kind, text, name in texts if text is not None),
        *({'kind': kind, 'parts': one._parts} for kind, one in inner if one is not None),
        *([] if visible is None else [{'kind': 'visible', 'value': visible}]),
    ]


class Finders(Surface):
    """Ways to name elements, of a page and of a locator."""

    def locator(self, selector_or_locator, *, has_text=None, has_not_text=None, has=None, has_not=None, **others):
        refuse_options('locator', others)
        inner = isinstance(selector_or_locator, Locator)
        parts = selector_or_locator._parts if inner else parts_of(selector_or_locator)
        return self._more(parts + narrowing(has_text, has_not_text, has, has_not), selector_or_locator._name if inner else f'locator({selector_or_locator!r})')

    def get_by_role(self, role, *, name=None, exact=False, include_hidden=False, **others):
        refuse_options('get_by_role', [one for one in others if one not in STATES])
        part = {'kind': 'role', 'value': role, 'name': None if name is None else wanted(name, 'name'), 'exact': exact, 'hidden': include_hidden, 'states': others}
        return self._more([part], f'get_by_role({role!r}' + ('' if name is None else f', name={name!r}') + ')')

    def get_by_text(self, text, *, exact=False):
        return self._more([{'kind': 'text', 'value': wanted(text, 'get_by_text'), 'exact': exact}], f'get_by_text({text!r})')

    def get_by_label(self, text, *, exact=False):
        return self._more([{'kind': 'label', 'value': wanted(text, 'get_by_label'), 'exact': exact}], f'get_by_label({text!r})')

    def _attribute(self, attribute, text, exact, what):
        return self._more([{'kind': 'attribute', 'attribute': attribute, 'value': wanted(text, what), 'exact': exact}], f'{what}({text!r})')

    def get_by_placeholder(self, text, *, exact=False):
        return self._attribute('placeholder', text, exact, 'get_by_placeholder')

    def get_by_alt_text(self, text, *, exact=False):
        return self._attribute('alt', text, exact, 'get_by_alt_text')

    def get_by_title(self, text, *, exact=False):
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

    def _many(self, count):
        return f'strict mode violation: {self._name} resolved to {count} elements'

    async def _until(self, what, attempt, timeout=None):
        async def once():
            handles = await self._page._handles(self._parts)
            if not handles:
                return {'wait': f'waiting for {self._name}'}
            if self._strict and len(handles) > 1:
                return {'error': self._many(len(handles))}
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

    def filter(self, **options):
        return self._more(narrowing(**options), 'filter(' + ', '.join(f'{name}={value!r}' for name, value in options.items()) + ')')

    def and_(self, locator):
        return self._more([{'kind': 'and', 'parts': locator._parts}], f'and_({locator._name})')

    def or_(self, locator):
        return self._more([{'kind': 'or', 'parts': locator._parts}], f'or_({locator._name})')

    async def count(self):
        return await self._page._inside('(parts) => trawl.find(parts).length', self._parts)

    async def all(self):
        return [self.nth(i) for i in range(await self.count())]

    async def all_inner_texts(self):
        return await self._page._inside('(parts) => trawl.find(parts).map((el) => el.innerText)', self._parts)

    async def all_text_contents(self):
        return await self._page._inside('(parts) => trawl.find(parts).map((el) => el.textContent)', self._parts)

    async def evaluate_all(self, expression, arg=None):
        return await self._page._evaluate(expression, await self._page._handles(self._parts), arg)

    async def is_visible(self, *, timeout=None):
        return await self._is('visible')

    async def is_hidden(self, *, timeout=None):
        return await self._is('hidden')

    async def _is(self, state):
        return self._one(await self._page._inside('(parts, state, strict) => trawl.state(parts, state, strict)', self._parts, state, self._strict))

    def _one(self, answer):
        if answer is not True and answer is not False:
            raise Error(self._many(answer))
        return answer

    async def wait_for(self, *, state='visible', timeout=None):
        await self._page._wait_state(self, state, timeout)

    async def element_handle(self, *, timeout=None):
        async def attempt(handle):
            return {'handle': ElementHandle(self._page, handle)}

        return (await self._until('element_handle', attempt, timeout))['handle']

    async def element_handles(self):
        return await self._page._handles(self._parts)
