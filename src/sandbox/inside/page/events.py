"""What happens in a page or in the browser, told to the code that listens."""
import asyncio
import inspect
import re
import traceback

from .errors import Error, TimeoutError
from .surface import Surface


_running = set()


class Events(Surface):
    """Listeners by event; `_known` are those that there are."""

    def _listening(self, event):
        if event not in self._known:
            raise NotImplementedError(f'The event {event} of {type(self).__name__} is not available here; code in node has all of them.')
        return self._listeners.setdefault(event, [])

    def on(self, event, f):
        self._listening(event).append((f, False))

    def once(self, event, f):
        self._listening(event).append((f, True))

    def remove_listener(self, event, f):
        listeners = self._listening(event)
        listeners[:] = [one for one in listeners if one[0] is not f]

    def _emit(self, event, value):
        """Tells those who listen; whether there was anybody."""
        there = list(self._listening(event))
        for f, once in there:
            if once:
                self.remove_listener(event, f)
            running = asyncio.ensure_future(_heard(f, value))
            # The loop itself keeps no task.
            _running.add(running)
            running.add_done_callback(_running.discard)
        return bool(there)

    def expect_event(self, event, predicate=None, *, timeout=None):
        return Expected(self, event, predicate, self._limit(timeout))

    async def wait_for_event(self, event, predicate=None, *, timeout=None):
        async with self.expect_event(event, predicate, timeout=timeout) as info:
            pass
        return await info.value


async def _heard(f, value):
    try:
        answer = f(value)
        if inspect.isawaitable(answer):
            await answer
    except Exception:
        traceback.print_exc()


class Expected:
    """What `async with` waits for; its `value` is what came."""

    def __init__(self, source, event, predicate, timeout):
        self._source, self._event, self._predicate, self._timeout = source, event, predicate, timeout
        self._came = asyncio.get_running_loop().create_future()
        source.on(event, self._hear)

    def _hear(self, value):
        if not self._came.done() and (self._predicate is None or self._predicate(value)):
            self._came.set_result(value)

    @property
    def value(self):
        return self._came

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        try:
            if kind is None:
                await asyncio.wait_for(asyncio.shield(self._came), self._timeout / 1000 or None)
        except asyncio.TimeoutError:
            raise TimeoutError(f'Timeout {self._timeout}ms exceeded while waiting for event "{self._event}"') from None
        finally:
            self._source.remove_listener(self._event, self._hear)


class Dialog(Surface):
    def __init__(self, page, told):
        self.page, self.type, self.message, self.default_value = page, told['type'], told['message'], told.get('defaultPrompt', '')
        self._answered = False

    async def _answer(self, **how):
        if self._answered:
            raise Error('Cannot accept or dismiss a dialog which is already handled!')
        self._answered = True
        await self.page._send('Page.handleJavaScriptDialog', how)

    async def accept(self, prompt_text=None):
        await self._answer(accept=True, **({} if prompt_text is None else {'promptText': prompt_text}))

    async def dismiss(self):
        await self._answer(accept=False)


def address_test(wanted):
    """Whether an address is the wanted one: a text with `*`, `**` and `{a,b}`, a regular expression, or a function."""
    if callable(wanted):
        return wanted
    if isinstance(wanted, re.Pattern):
        return lambda url: wanted.search(url) is not None
    if not isinstance(wanted, str):
        raise Error('url: expected a text, a regular expression or a function')
    inside = {'**': '.*', '*': '[^/]*', '{': '(?:', '}': ')'}
    depth, made = 0, ''
    for one in re.split(r'(\*\*|[*{},])', wanted):
        depth += (one == '{') - (one == '}')
        made += '|' if one == ',' and depth else inside[one] if one in inside else re.escape(one)
    pattern = re.compile(made)
    return lambda url: pattern.fullmatch(url) is not None
