"""Playwright's names for what is done most with a page, over the DevTools protocol and with the standard library alone.

What is not here raises an error that names it.
"""
from .context import Context
from .errors import Error, TimeoutError
from .line import Line
from .page import DEFAULT_MS, Page


class Connection:
    """What code is given, and kept up to date."""

    def __init__(self, line, context, page):
        self.line, self.context, self.page = line, context, page

    @property
    def left(self):
        return self.line.left

    def names(self):
        return {'page': self.page, 'context': self.context, 'browser': self.context.browser, 'Error': Error, 'PlaywrightTimeoutError': TimeoutError}

    async def refresh(self, names, timeout):
        """The page stays one that is open, and waits end before the run does."""
        # Nobody listened since the last run: what happened meanwhile is heard before this is answered.
        try:
            await self.line.send('Target.getTargets')
        except Error:
            pass
        await self.context._settled()
        page = names.get('page')
        if isinstance(page, Page) and page._closed:
            names['page'] = self.context.pages[-1] if self.context.pages else await self.context.new_page()
        self.context.set_default_timeout(min(DEFAULT_MS, max(500, timeout - 1000)))


async def connect(descriptor, page):
    line = Line()
    await line.open(descriptor)
    context = Context(line)
    return Connection(line, context, await context._open(page))
