"""What happens in a page or in the browser, told to the code that listens."""
import asyncio
import inspect
import re

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
        listeners[:] = [one for one in listeners if one[0] != f]

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
        limit, came = self._limit(timeout), asyncio.get_running_loop().create_future()

        def hear(value):
            if not came.done() and (predicate is None or predicate(value)):
                came.set_result(value)

        def end(_):
            if not came.done():
                came.set_exception(Error('Target page, context or browser has been closed'))

        # From a page that has closed, nothing comes.
        closes = event != 'close' and 'close' in self._known
        heard = {event: hear, 'close': end} if closes else {event: hear}
        for name, f in heard.items():
            self.on(name, f)
        if closes and self._closed:
            end(self)
        expected = Expected(within(came, limit, f'Timeout {limit}ms exceeded while waiting for event "{event}"'))
        expected.value.add_done_callback(lambda _: [self.remove_listener(name, f) for name, f in heard.items()])
        return expected

    async def wait_for_event(self, event, predicate=None, *, timeout=None):
        return await self.expect_event(event, predicate, timeout=timeout).value


async def _heard(f, value):
    try:
        answer = f(value)
        if inspect.isawaitable(answer):
            await answer
    except Exception as error:
        asyncio.get_running_loop().call_exception_handler({'message': 'A listener failed', 'exception': error})


async def within(coming, limit, said):
    """What comes within so many milliseconds, 0 being for ever; TimeoutError otherwise."""
    try:
        return await asyncio.wait_for(coming, limit / 1000 or None)
    except asyncio.TimeoutError:
        raise TimeoutError(said) from None


class Expected:
    """What `async with` waits for; its `value` is what came."""

    def __init__(self, coming):
        # As in the driver, its time begins here.
        self.value = asyncio.ensure_future(coming)
        # Nobody may ask any more how it ended.
        self.value.add_done_callback(lambda ended: ended.cancelled() or ended.exception())

    async def __aenter__(self):
        return self

    async def __aexit__(self, kind, error, trace):
        if kind is not None:
            self.value.cancel()
            return
        await self.value


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
    pattern = re.compile(_written(wanted))
    return lambda url: pattern.fullmatch(url) is not None


def _written(wanted):
    """The regular expression for such a text; a brace without the other is itself."""
    made = ''
    for one in re.split(r'(\*\*|\*|\{[^{}]*\})', wanted):
        group = re.fullmatch(r'\{(.*)\}', one, re.S)
        made += f'(?:{"|".join(map(_written, group[1].split(",")))})' if group else {'**': '.*', '*': '[^/]*'}.get(one, re.escape(one))
    return made
