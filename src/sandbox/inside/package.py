"""`page`, `context` and `browser` of the `playwright` package that this Python has, and of its own driver, which is lent the line to the session's browser."""
import asyncio
import os
import sys

# What `driver.cjs` takes for the session's browser.
ADDRESS = 'ws://127.0.0.1:1/'
START_MS = 15000
DEFAULT_MS = 30000
EXPECT_MS = 5000
HEAP_MB = 384


def lending(start, preload, descriptors, drivers):
    """The same as `start`, for a driver that finds the line open and `preload` loaded, and is kept in `drivers`."""
    async def started(*args, env=None, **terms):
        own = dict(os.environ if env is None else env)
        own['NODE_OPTIONS'] = '--max-old-space-size=%d --require "%s"' % (HEAP_MB, preload)
        # Its own complaints are not those of the code.
        own['NODE_NO_WARNINGS'] = '1'
        drivers.append(await start(*args, env=own, pass_fds=descriptors, **terms))
        return drivers[-1]
    return started


async def started(preload, descriptors):
    """The package with its driver at work, and the process of that."""
    from playwright.async_api import async_playwright
    start, drivers = asyncio.create_subprocess_exec, []
    asyncio.create_subprocess_exec = lending(start, preload, descriptors, drivers)
    try:
        return await async_playwright().start(), drivers[0]
    finally:
        asyncio.create_subprocess_exec = start


class Connection:
    """What code is given, and kept up to date."""

    def __init__(self, driver, browser, context, page):
        self.driver, self.browser, self.context, self.page = driver, browser, context, page

    @property
    def left(self):
        # The package says that it is connected when its driver has died, too.
        return self.driver.stdout.at_eof() or not self.browser.is_connected()

    def names(self):
        from playwright.async_api import Error, TimeoutError
        return {'page': self.page, 'context': self.context, 'browser': self.browser, 'Error': Error, 'PlaywrightTimeoutError': TimeoutError}

    async def refresh(self, names, timeout):
        """The page stays one that is open, and waits end before the run does."""
        page = names.get('page')
        if type(page) is type(self.page) and page.is_closed():
            names['page'] = self.context.pages[-1] if self.context.pages else await self.context.new_page()
        longest = max(500, timeout - 1000)
        self.context.set_default_timeout(min(DEFAULT_MS, longest))
        # What is expected is waited for by a time of its own, which versions before 1.39 cannot be told.
        expect = getattr(sys.modules['playwright.async_api'], 'expect', None)
        if hasattr(expect, 'set_options'):
            expect.set_options(timeout=min(EXPECT_MS, longest))


async def page_of(context, begin):
    """The page of that id, or any: the order in which the browser lists its pages says nothing."""
    first, *others = context.pages or [await context.new_page()]
    for page in others:
        line = await context.new_cdp_session(page)
        told = await line.send('Target.getTargetInfo')
        await line.detach()
        if told['targetInfo']['targetId'] == begin:
            return page
    return first


async def connect(descriptor, preload, begin):
    playwright, driver = await started(preload, (descriptor,))
    # The driver has it now.
    os.close(descriptor)
    browser = await playwright.chromium.connect_over_cdp(ADDRESS, timeout=START_MS)
    context = browser.contexts[0] if browser.contexts else await browser.new_context()
    return Connection(driver, browser, context, await page_of(context, begin))


async def tried(preload):
    """Starts the driver and ends it: whether the package can be used where this runs."""
    playwright, _ = await asyncio.wait_for(started(preload, ()), START_MS / 1000)
    await playwright.stop()
