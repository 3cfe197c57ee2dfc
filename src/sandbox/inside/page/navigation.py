import asyncio
import base64
import json

from .errors import Error
from .events import address_test
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
        limit = self._going_limit(timeout)
        answer = await self._within('Page.goto', self._send('Page.navigate', {'url': url, **({'referrer': referer} if referer else {})}), limit)
        if answer.get('errorText'):
            raise Error(f'Page.goto: {answer["errorText"]} at {url}')
        loader = answer.get('loaderId')
        if loader is None:
            # In the same document: what the page is told of that comes later.
            self._url = await self._inside('() => location.href')
            return None
        # A page may send its visitor on before all of it is there: what counts then is where that leads.
        return await self._arrive('Page.goto', lambda: loader in self._been, wait_until, limit, loader)

    async def _arrive(self, what, there, wait_until, limit, loader=None):
        name = load_state(wait_until)
        await self._wait(what, there, limit)
        loader = loader or self._loader
        await self._wait(what, lambda: name in self._reached, limit)
        return self._responses.get(loader)

    async def reload(self, *, timeout=None, wait_until='load'):
        load_state(wait_until)
        before = self._loader
        await self._send('Page.reload')
        return await self._arrive('Page.reload', lambda: self._loader != before, wait_until, self._going_limit(timeout))

    async def _history(self, by, what, timeout, wait_until):
        load_state(wait_until)
        told = await self._send('Page.getNavigationHistory')
        index = told['currentIndex'] + by
        if not 0 <= index < len(told['entries']):
            return None
        before, entry = (self._loader, self._url), told['entries'][index]
        await self._send('Page.navigateToHistoryEntry', {'entryId': entry['id']})
        answer = await self._arrive(what, lambda: (self._loader, self._url) != before, wait_until, self._going_limit(timeout))
        return None if self._loader == before[0] else answer

    async def go_back(self, *, timeout=None, wait_until='load'):
        return await self._history(-1, 'Page.go_back', timeout, wait_until)

    async def go_forward(self, *, timeout=None, wait_until='load'):
        return await self._history(1, 'Page.go_forward', timeout, wait_until)

    async def wait_for_load_state(self, state='load', *, timeout=None):
        name = load_state(state)
        # What was there before this connection told nothing of itself.
        ready = await self._inside('() => document.readyState')
        if name == 'load' and ready == 'complete' or name == 'DOMContentLoaded' and ready != 'loading' or name == 'init':
            return
        await self._wait('Page.wait_for_load_state', lambda: name in self._reached, self._going_limit(timeout))

    async def wait_for_timeout(self, timeout):
        await asyncio.sleep(timeout / 1000)

    async def wait_for_url(self, url, *, timeout=None, wait_until='load'):
        fits, limit = address_test(url), self._going_limit(timeout)
        await self._wait('Page.wait_for_url', lambda: fits(self._url), limit)
        await self.wait_for_load_state(wait_until, timeout=limit)

    def expect_navigation(self, *, url=None, timeout=None, wait_until='load'):
        load_state(wait_until)
        return Going(self, None if url is None else address_test(url), wait_until, self._going_limit(timeout))

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


class Going:
    """What `expect_navigation` waits for; its `value` is the answer."""

    def __init__(self, page, fits, wait_until, limit):
        self._page, self._fits, self._wait_until, self._limit = page, fits, wait_until, limit
        self._before, self._answer = (page._loader, page._url), None

    @property
    async def value(self):
        return self._answer

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        page = self._page
        if kind is None:
            self._answer = await page._arrive('Page.expect_navigation', lambda: (page._loader, page._url) != self._before and (self._fits is None or self._fits(page._url)), self._wait_until, self._limit)
