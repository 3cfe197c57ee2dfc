"""`page`, `context` and `browser` of the `playwright` package that this Python has, and of its own driver, which is lent the line to the session's browser."""
import asyncio
import os

# What `driver.cjs` takes for the session's browser.
ADDRESS = 'ws://127.0.0.1:1/'
START_MS = 15000
DEFAULT_MS = 30000
HEAP_MB = 384


def lending(start, preload, descriptors):
    """The same as `start`, for a driver that finds the line open and `preload` loaded."""
    async def started(*args, env=None, **terms):
        own = dict(os.environ if env is None else env)
        own['NODE_OPTIONS'] = '--max-old-space-size=%d --require "%s"' % (HEAP_MB, preload)
        # Its own complaints are not those of the code.
        own['NODE_NO_WARNINGS'] = '1'
        return await start(*args, env=own, pass_fds=descriptors, **terms)
    return started


async def started(preload, descriptors):
    """The package with its driver at work."""
    from playwright.async_api import async_playwright
    start = asyncio.create_subprocess_exec
    asyncio.create_subprocess_exec = lending(start, preload, descriptors)
    try:
        return await async_playwright().start()
    finally:
        asyncio.create_subprocess_exec = start


class Connection:
    """What code is given, and kept up to date."""

    def __init__(self, browser, context, page):
        self.browser, self.context, self.page = browser, context, page

    @property
    def left(self):
        return not self.browser.is_connected()

    def names(self):
        from playwright.async_api import Error, TimeoutError
        return {'page': self.page, 'context': self.context, 'browser': self.browser, 'Error': Error, 'PlaywrightTimeoutError': TimeoutError}

    def refresh(self, names, timeout):
        """The page stays one that is open, and waits end before the run does."""
        page = names.get('page')
        if type(page) is type(self.page) and page.is_closed() and self.context.pages:
            names['page'] = self.context.pages[-1]
        self.context.set_default_timeout(min(DEFAULT_MS, max(500, timeout - 1000)))


async def connect(descriptor, preload):
    playwright = await started(preload, (descriptor,))
    # The driver has it now.
    os.close(descriptor)
    browser = await playwright.chromium.connect_over_cdp(ADDRESS, timeout=START_MS)
    context = browser.contexts[0] if browser.contexts else await browser.new_context()
    page = context.pages[0] if context.pages else await context.new_page()
    return Connection(browser, context, page)


async def tried(preload):
    """Starts the driver and ends it: whether the package can be used where this runs."""
    playwright = await asyncio.wait_for(started(preload, ()), START_MS / 1000)
    await playwright.stop()
