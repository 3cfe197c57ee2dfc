import asyncio
import base64
import os
import re
import time

from .elements import ElementHandle
from .errors import Error, TimeoutError, is_gone, value_of
from .input import Keyboard, Mouse
from .locators import Finders, Locator
from .navigation import Navigation
from .selector import parts_of
from .surface import refuse_options

DEFAULT_MS = 30000
with open(os.path.join(os.path.dirname(__file__), 'in-page.js'), encoding='utf-8') as _file:
    IN_PAGE = _file.read()
FUNCTION = re.compile(r'^\s*(async\s+)?(function\b|\([^()]*(\([^()]*\)[^()]*)*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)')


class Page(Navigation, Finders):
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
        # Otherwise the page could go elsewhere after it was looked at, unnoticed.
        await self._send('Page.enable')
        tree = await self._send('Page.getFrameTree')
        self._frame = tree['frameTree']['frame']['id']
        self._loader = tree['frameTree']['frame'].get('loaderId')
        self._url = tree['frameTree']['frame']['url']
        await asyncio.gather(self._send('Network.enable'), self._send('Page.setLifecycleEventsEnabled', {'enabled': True}), return_exceptions=True)

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
                if not is_gone(error) or self._closed:
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
            await self._send('Runtime.evaluate', {'expression': IN_PAGE, 'contextId': world})
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
        listed = await self._send('Runtime.callFunctionOn', {'functionDeclaration': '(parts, root) => trawl.find(parts, root)', 'arguments': [{'value': parts}] + ([] if root is None else [{'objectId': root}]), **where})
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

    # Waiting for what scripts see

    async def wait_for_function(self, expression, arg=None, timeout=None):
        async def attempt():
            value = await self.evaluate(expression, arg)
            return {'value': value} if value else {'wait': 'waiting for the function'}

        return (await self._retry('Page.wait_for_function', attempt, timeout))['value']

    async def _wait_state(self, parts, name, state, timeout):
        if state not in ('attached', 'detached', 'visible', 'hidden'):
            raise Error('state: expected one of (attached|detached|visible|hidden)')

        async def attempt():
            there = await self._call('(parts, state) => trawl.state(parts, state)', [{'value': parts}, {'value': state}], executionContextId=await self._ours())
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
