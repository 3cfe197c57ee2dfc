import asyncio
import re
import time

from .errors import Error
from .events import Events
from .page import DEFAULT_MS, Page
from .surface import Surface


class Context(Events):
    _known = ('page',)

    def __init__(self, line):
        self._line = line
        self._listeners = {}
        self._default = DEFAULT_MS
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
            page._started.add_done_callback(lambda future: future.cancelled() or future.exception() or self._tell(page))
            self._arrivals.set()
        elif method == 'Target.detachedFromTarget':
            page = self._pages.pop(params['sessionId'], None)
            if page is not None:
                page._gone()

    def _tell(self, page):
        opener = page._target.get('openerId')
        self._emit('page', page)
        for other in self.pages:
            if other._target['targetId'] == opener:
                other._emit('popup', page)

    async def _settled(self):
        """Until what is known of the pages is what they are, unless one does not answer."""
        starting = [page._started for page in self._pages.values() if not page._started.done()]
        if starting:
            await asyncio.wait(starting, timeout=1)

    async def _open(self, begin):
        self._line.listeners[''] = self._hear
        await self._line.send('Target.setAutoAttach', {'autoAttach': True, 'waitForDebuggerOnStart': False, 'flatten': True})
        if not self._pages:
            return await self.new_page()
        await asyncio.gather(*(page._started for page in self._pages.values()), return_exceptions=True)
        # The order in which the browser lists its pages says nothing.
        return next((page for page in self.pages if page._target['targetId'] == begin), self.pages[0])

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
        self._default = timeout

    def _limit(self, timeout):
        return self._default if timeout is None else timeout

    def expect_page(self, predicate=None, *, timeout=None):
        return self.expect_event('page', predicate, timeout=timeout)


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
