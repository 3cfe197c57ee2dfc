import asyncio
import re

from .errors import Error, TimeoutError
from .surface import Surface

LOAD_STATES = {'load': 'load', 'domcontentloaded': 'DOMContentLoaded', 'networkidle': 'networkIdle', 'commit': 'init'}


def load_state(name):
    if name not in LOAD_STATES:
        raise Error('expected one of (load|domcontentloaded|networkidle|commit)')
    return LOAD_STATES[name]


class Response(Surface):
    def __init__(self, told):
        self.status, self.url, self.headers = told['status'], told['url'], {name.lower(): value for name, value in told.get('headers', {}).items()}
        self.status_text = told.get('statusText', '')

    @property
    def ok(self):
        return 200 <= self.status <= 299


class Navigation(Surface):
    """How a page goes from address to address, and waits to be there."""

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
