import asyncio
import base64
import collections
import time

from .errors import Error, TimeoutError, is_gone
from .events import Dialog, Events, within
from .input import Keyboard, Mouse
from .locators import Finders, Locator
from .navigation import Navigation, Request, Response, load_state
from .scripts import Scripts
from .selector import parts_of
from .surface import refuse_options, text

DEFAULT_MS = 30000
REMEMBERED = 50


class Span:
    """A limit of so many milliseconds, 0 being for ever, that has begun: what takes several steps has one for all of them."""

    def __init__(self, limit):
        self.limit, self.end = limit, time.monotonic() + (limit / 1000 if limit else 86400)

    def left(self):
        return max(10, 1000 * (self.end - time.monotonic()))


def trimmed(clip, size):
    """The part of it that is in the picture."""
    left, top, right, bottom = (max(0, min(one, size[length])) for one, length in ((clip['x'], 'width'), (clip['y'], 'height'), (clip['x'] + clip['width'], 'width'), (clip['y'] + clip['height'], 'height')))
    if right <= left or bottom <= top:
        raise Error('Page.screenshot: Clipped area is either empty or outside the resulting image')
    return {'x': left, 'y': top, 'width': right - left, 'height': bottom - top}


class Page(Navigation, Finders, Scripts, Events):
    _known = ('close', 'dialog', 'domcontentloaded', 'load', 'popup', 'request', 'response')

    def __init__(self, context, session, target):
        self.context, self._session, self._target = context, session, target
        self.keyboard, self.mouse = Keyboard(self), Mouse(self)
        self._listeners = {}
        self._world = None
        self._frame = None
        self._url = target.get('url', '')
        self._loader = None
        # The documents that were here last, and the answers that they came with.
        self._been, self._responses = collections.deque(maxlen=REMEMBERED), {}
        self._loading = set()
        self._reached = set()
        self._news = asyncio.Event()
        self._closed = False
        self._default = self._default_navigation = None

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
        # Otherwise the page could go elsewhere after it was looked at, unnoticed.
        await self._send('Page.enable')
        tree = await self._send('Page.getFrameTree')
        self._frame = tree['frameTree']['frame']['id']
        self._loader = tree['frameTree']['frame'].get('loaderId')
        self._url = tree['frameTree']['frame']['url']
        await asyncio.gather(self._send('Network.enable'), self._send('Page.setLifecycleEventsEnabled', {'enabled': True}), return_exceptions=True)

    def _hear(self, method, params):
        if method == 'Page.lifecycleEvent' and params['frameId'] == self._frame:
            self._hear_lifecycle(params['name'], params['loaderId'])
        elif method == 'Page.frameNavigated' and 'parentId' not in params['frame']:
            self._frame, self._world = params['frame']['id'], None
            self._url = params['frame']['url'] + params['frame'].get('urlFragment', '')
        elif method == 'Page.navigatedWithinDocument' and params['frameId'] == self._frame:
            self._url = params['url']
        elif method == 'Page.javascriptDialogOpening':
            self._hear_dialog(params)
        elif method.startswith('Network.'):
            self._hear_network(method, params)
        self._news.set()

    def _hear_lifecycle(self, name, loader):
        if name == 'init' or loader != self._loader:
            self._loader, self._reached = loader, set()
            self._been.append(loader)
        self._reached.add(name)
        if name in ('load', 'DOMContentLoaded'):
            self._emit(name.lower(), self)

    def _hear_dialog(self, told):
        if told['type'] == 'beforeunload' or not self._emit('dialog', Dialog(self, told)):
            # Nobody says that the page may not be left.
            self._send('Page.handleJavaScriptDialog', {'accept': told['type'] == 'beforeunload'}).add_done_callback(lambda future: future.exception())

    def _hear_network(self, method, params):
        if method == 'Network.requestWillBeSent':
            self._loading.add(params['requestId'])
            # What sends a request on is told with the next one, and nothing of its body is kept.
            if 'redirectResponse' in params:
                self._emit('response', Response(self, params['redirectResponse'], None))
            self._emit('request', Request(params))
        elif method == 'Network.responseReceived':
            response = Response(self, params['response'], params['requestId'])
            if params['type'] == 'Document':
                self._responses[params['loaderId']] = response
                if len(self._responses) > REMEMBERED:
                    del self._responses[next(iter(self._responses))]
            self._emit('response', response)
        elif method in ('Network.loadingFinished', 'Network.loadingFailed'):
            self._loading.discard(params['requestId'])

    def _gone(self):
        self._closed = True
        self._news.set()
        self._emit('close', self)

    # Waiting

    def set_default_timeout(self, timeout):
        self._default = timeout

    def set_default_navigation_timeout(self, timeout):
        self._default_navigation = timeout

    def _limit(self, timeout):
        """How long to wait, in milliseconds; 0 is for ever."""
        return next(one for one in (timeout, self._default, self.context._default) if one is not None)

    def _going_limit(self, timeout):
        return self._limit(self._default_navigation if timeout is None else timeout)

    def _span(self, timeout):
        return timeout if isinstance(timeout, Span) else Span(self._limit(timeout))

    async def _within(self, what, future, limit):
        span = self._span(limit)
        return await within(future, span.left(), f'{what}: Timeout {span.limit}ms exceeded.')

    async def _wait(self, reached):
        while not reached():
            if self._closed:
                raise Error('Target page, context or browser has been closed')
            self._news.clear()
            await self._news.wait()

    async def _retry(self, what, attempt, timeout=None):
        """Again and again until it neither waits nor fails for want of a document; `error` ends it."""
        span = self._span(timeout)
        pause, why = 0.02, ''
        while True:
            try:
                answer = await asyncio.wait_for(attempt(), span.left() / 1000)
            except asyncio.TimeoutError:
                answer = {'wait': why or 'the page does not answer'}
            except Error as error:
                if not is_gone(error) or self._closed:
                    raise
                self._world = None
                answer = {'wait': 'the page is being replaced'}
            if 'error' in answer:
                raise Error(f'{what}: {answer["error"]}')
            if 'wait' not in answer:
                return answer
            why = answer['wait']
            if time.monotonic() + pause >= span.end:
                raise TimeoutError(f'{what}: Timeout {span.limit}ms exceeded.\n  - {why}')
            await asyncio.sleep(pause)
            pause = min(0.5, pause * 2)

    async def wait_for_function(self, expression, *, arg=None, timeout=None):
        async def attempt():
            true, value = await self._judged(expression, arg)
            return {'value': value} if true else {'wait': 'waiting for the function'}

        return (await self._retry('Page.wait_for_function', attempt, timeout))['value']

    async def _wait_state(self, locator, state, timeout):
        if state not in ('attached', 'detached', 'visible', 'hidden'):
            raise Error('state: expected one of (attached|detached|visible|hidden)')

        async def attempt():
            there = await self._call('(parts, state, strict) => trawl.state(parts, state, strict)', [{'value': locator._parts}, {'value': state}, {'value': locator._strict}], executionContextId=await self._ours())
            return {} if locator._one(there) else {'wait': f'waiting for {locator._name} to be {state}'}

        await self._retry('Locator.wait_for', attempt, timeout)

    async def wait_for_selector(self, selector, *, state='visible', timeout=None, strict=False):
        one = Locator(self, parts_of(selector), f'locator({selector!r})', strict)
        await self._wait_state(one, state, timeout)
        found = await self._handles(one._parts) if state in ('attached', 'visible') else []
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

    async def set_content(self, html, *, timeout=None, wait_until='load'):
        text(html, 'set_content')
        await self._within('Page.set_content', self._put(html, load_state(wait_until)), self._going_limit(timeout))

    async def _put(self, html, state):
        self._reached.clear()
        await self._inside('(html) => { document.open(); document.write(html); document.close() }', html, timeout=0)
        await self._loaded(state)

    async def query_selector(self, selector):
        found = await self._handles(parts_of(selector))
        return found[0] if found else None

    async def query_selector_all(self, selector):
        return await self._handles(parts_of(selector))

    async def set_viewport_size(self, viewport_size):
        await self._send('Emulation.setDeviceMetricsOverride', {'width': viewport_size['width'], 'height': viewport_size['height'], 'deviceScaleFactor': 1, 'mobile': False})

    async def screenshot(self, *, full_page=False, clip=None, timeout=None, **options):
        return await self._within('Page.screenshot', self._cut(full_page, clip, options), self._limit(timeout))

    async def _cut(self, full_page, clip, options):
        if full_page or clip is not None:
            told = await self._send('Page.getLayoutMetrics')
            whole, seen = told['cssContentSize'], told['cssVisualViewport']
            # The browser's own numbers leave out scroll bars, which are in the picture.
            size = whole if full_page else await self._inside('() => ({ width: innerWidth, height: innerHeight })', timeout=0)
            clip = trimmed(clip or {'x': 0, 'y': 0, **size}, size)
            if not full_page:
                clip = {**clip, 'x': clip['x'] + seen['pageX'], 'y': clip['y'] + seen['pageY']}
        return await self._shot(clip, **options)

    async def _shot(self, clip, *, path=None, type=None, quality=None, **others):
        refuse_options('screenshot', others)
        kind = type or ('jpeg' if str(path).lower().endswith(('.jpg', '.jpeg')) else 'png')
        if kind not in ('png', 'jpeg'):
            raise Error('type: expected one of (png|jpeg)')
        if quality is not None and kind != 'jpeg':
            raise Error('options.quality is unsupported for the png screenshots')
        cut = {} if clip is None else {'captureBeyondViewport': True, 'clip': {**clip, 'scale': 1}}
        data = base64.b64decode((await self._send('Page.captureScreenshot', {'format': kind, **({} if quality is None else {'quality': quality}), **cut}))['data'])
        if path is not None:
            with open(path, 'wb') as file:
                file.write(data)
        return data

    async def bring_to_front(self):
        await self._send('Page.bringToFront')

    async def close(self):
        if self._closed:
            return
        await self.context._line.send('Target.closeTarget', {'targetId': self._target['targetId']})
        for _ in range(100):
            if self._closed:
                return
            await asyncio.sleep(0.02)


def _by_selector(name):
    async def act(self, selector, *arguments, strict=False, **options):
        one = Locator(self, parts_of(selector), f'locator({selector!r})', strict)
        return await getattr(one, name)(*arguments, **options)

    act.__name__ = name
    return act


for _name in ('click', 'dblclick', 'hover', 'focus', 'fill', 'type', 'press', 'check', 'uncheck', 'set_checked', 'select_option', 'set_input_files', 'inner_text', 'text_content', 'inner_html', 'input_value', 'get_attribute', 'is_enabled', 'is_disabled', 'is_editable', 'is_checked', 'is_visible', 'is_hidden'):
    setattr(Page, _name, _by_selector(_name))
