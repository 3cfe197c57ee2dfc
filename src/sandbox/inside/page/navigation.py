import asyncio
import base64
import json

from .errors import Error
from .events import Expected, address_test
from .surface import Surface

LOAD_STATES = {'load': 'load', 'domcontentloaded': 'DOMContentLoaded', 'networkidle': 'networkIdle', 'commit': 'init'}


def load_state(name):
    if name not in LOAD_STATES:
        raise Error('expected one of (load|domcontentloaded|networkidle|commit)')
    return LOAD_STATES[name]


def lower(headers):
    return {name.lower(): value for name, value in headers.items()}


class Request(Surface):
    def __repr__(self):
        return f'<Request url={self.url!r} method={self.method!r}>'

    def __init__(self, told):
        request = told['request']
        self.url, self.method, self.headers = request['url'], request['method'], lower(request['headers'])
        self.post_data, self.resource_type = request.get('postData'), told.get('type', 'Other').lower()


class Response(Surface):
    def __repr__(self):
        return f'<Response url={self.url!r}>'

    def __init__(self, page, response, request):
        self._page, self._id = page, request
        self.status, self.url, self.headers = response['status'], response['url'], lower(response.get('headers', {}))
        self.status_text = response.get('statusText', '')

    @property
    def ok(self):
        return 200 <= self.status <= 299

    async def body(self):
        # Until it is all there, the browser knows of no body.
        answer = await self._page._retry('Response.body', self._told)
        return base64.b64decode(answer['body']) if answer['base64Encoded'] else answer['body'].encode()

    async def _told(self):
        if self._id is None:
            return {'error': 'Response body is unavailable for redirect responses'}
        # It may have come by the time that the browser says that it has not.
        coming = self._id in self._page._loading
        try:
            return await self._page._send('Network.getResponseBody', {'requestId': self._id})
        except Error as error:
            if coming:
                return {'wait': 'the body is not there yet'}
            return {'error': str(error)}

    async def text(self):
        return (await self.body()).decode('utf-8', 'replace')

    async def json(self):
        return json.loads(await self.body())

    async def all_headers(self):
        return self.headers

    async def header_value(self, name):
        return self.headers.get(name.lower())


class Navigation(Surface):
    """How a page goes from address to address, and waits to be there."""

    async def goto(self, url, *, timeout=None, wait_until='load', referer=None):
        load_state(wait_until)
        return await self._within('Page.goto', self._goto(url, wait_until, referer), self._going_limit(timeout))

    async def _goto(self, url, wait_until, referer):
        answer = await self._send('Page.navigate', {'url': url, **({'referrer': referer} if referer else {})})
        if answer.get('errorText'):
            raise Error(f'Page.goto: {answer["errorText"]} at {url}')
        loader = answer.get('loaderId')
        if loader is None:
            # In the same document: what the page is told of that comes later.
            self._url = await self._inside('() => location.href', timeout=0)
            return None
        # A page may send its visitor on before all of it is there: what counts then is where that leads.
        return await self._arrive(lambda: loader in self._been, wait_until, loader)

    async def _arrive(self, there, wait_until, loader=None):
        name = load_state(wait_until)
        await self._wait(there)
        loader = loader or self._loader
        await self._wait(lambda: name in self._reached)
        return self._responses.get(loader)

    async def reload(self, *, timeout=None, wait_until='load'):
        load_state(wait_until)
        return await self._within('Page.reload', self._reload(wait_until), self._going_limit(timeout))

    async def _reload(self, wait_until):
        before = self._loader
        await self._send('Page.reload')
        return await self._arrive(lambda: self._loader != before, wait_until)

    async def _history(self, by, wait_until):
        told = await self._send('Page.getNavigationHistory')
        index = told['currentIndex'] + by
        if not 0 <= index < len(told['entries']):
            return None
        before, entry = (self._loader, self._url), told['entries'][index]
        await self._send('Page.navigateToHistoryEntry', {'entryId': entry['id']})
        answer = await self._arrive(lambda: (self._loader, self._url) != before, wait_until)
        return None if self._loader == before[0] else answer

    async def go_back(self, *, timeout=None, wait_until='load'):
        load_state(wait_until)
        return await self._within('Page.go_back', self._history(-1, wait_until), self._going_limit(timeout))

    async def go_forward(self, *, timeout=None, wait_until='load'):
        load_state(wait_until)
        return await self._within('Page.go_forward', self._history(1, wait_until), self._going_limit(timeout))

    async def wait_for_load_state(self, state='load', *, timeout=None):
        await self._within('Page.wait_for_load_state', self._loaded(load_state(state)), self._going_limit(timeout))

    async def _loaded(self, name):
        # What was there before this connection told nothing of itself.
        ready = await self._inside('() => document.readyState', timeout=0)
        if not (name == 'load' and ready == 'complete' or name == 'DOMContentLoaded' and ready != 'loading' or name == 'init'):
            await self._wait(lambda: name in self._reached)

    async def wait_for_timeout(self, timeout):
        await asyncio.sleep(timeout / 1000)

    async def wait_for_url(self, url, *, timeout=None, wait_until='load'):
        await self._within('Page.wait_for_url', self._at(address_test(url), load_state(wait_until)), self._going_limit(timeout))

    async def _at(self, fits, state):
        await self._wait(lambda: fits(self._url))
        await self._loaded(state)

    def expect_navigation(self, *, url=None, timeout=None, wait_until='load'):
        load_state(wait_until)
        fits, limit, before = address_test('**' if url is None else url), self._going_limit(timeout), (self._loader, self._url)

        async def going():
            return await self._within('Page.expect_navigation', self._arrive(lambda: (self._loader, self._url) != before and fits(self._url), wait_until), limit)

        return Expected(going())

    def expect_popup(self, predicate=None, *, timeout=None):
        return self.expect_event('popup', predicate, timeout=timeout)

    def expect_response(self, url_or_predicate, *, timeout=None):
        return self.expect_event('response', _about(url_or_predicate), timeout=timeout)

    def expect_request(self, url_or_predicate, *, timeout=None):
        return self.expect_event('request', _about(url_or_predicate), timeout=timeout)


def _about(wanted):
    """A test of requests and answers: by their address, unless it is a function."""
    if callable(wanted):
        return wanted
    fits = address_test(wanted)
    return lambda one: fits(one.url)
