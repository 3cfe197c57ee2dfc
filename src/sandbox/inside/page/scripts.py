"""Scripts in a page: ours, in a world that its own scripts do not see, and those of the code, among its own."""
import itertools
import os
import re

from .elements import ElementHandle
from .errors import OWN, Error, value_of
from .selector import parts_of
from .surface import Surface
from .values import packed, unpacked


def _beside(name):
    with open(os.path.join(os.path.dirname(__file__), name), encoding='utf-8') as file:
        return file.read()


IN_PAGE = _beside('in-page.js')
# An expression with a function that has a name, or none, would be a statement.
STATEMENT = re.compile(r'^(async\s+)?function\b')
CALL = f'''async function (script, given, ...handles) {{
  const values = {_beside('values.js').strip()}
  const value = await (typeof script === 'function' ? script(...values.opened(given, handles)) : script)
  return values.told([Boolean(value), value])
}}
//# sourceURL={OWN}
'''
GROUPS = itertools.count()


class Scripts(Surface):
    async def _ours(self):
        if self._world is None:
            made = await self._send('Page.createIsolatedWorld', {'frameId': self._frame, 'worldName': 'trawl-python'})
            world = made['executionContextId']
            await self._send('Runtime.evaluate', {'expression': IN_PAGE, 'contextId': world})
            self._world = world
        return self._world

    async def _call(self, function, arguments, by_value=True, **where):
        return value_of(await self._send('Runtime.callFunctionOn', {'functionDeclaration': function, 'arguments': arguments, 'returnByValue': by_value, 'awaitPromise': True, **where}))

    async def _inside(self, function, *arguments, timeout=None):
        async def attempt():
            return {'value': await self._call(function, [{'value': one} for one in arguments], executionContextId=await self._ours())}

        return (await self._retry('Page', attempt, timeout))['value']

    def _on(self, handle, function, *arguments):
        return self._call(function, [{'objectId': handle}, *({'value': one} for one in arguments)], objectId=handle)

    async def _handles(self, parts, root=None):
        world = await self._ours()
        where = {'executionContextId': world} if root is None else {'objectId': root}
        listed = await self._send('Runtime.callFunctionOn', {'functionDeclaration': '(parts, root) => trawl.find(parts, root)', 'arguments': [{'value': parts}] + ([] if root is None else [{'objectId': root}]), **where})
        value_of(listed)
        told = await self._send('Runtime.getProperties', {'objectId': listed['result']['objectId'], 'ownProperties': True})
        return [ElementHandle(self, one['value']['objectId']) for one in told['result'] if one['name'].isdigit()]

    async def _evaluate(self, expression, *given):
        """The value of an expression among the page's own scripts, or what it answers to these values if it is a function."""
        return (await self._judged(expression, *given))[1]

    async def _judged(self, expression, *given):
        """Such a value after whether it is true for a script."""
        handles, group = [], f'code-{next(GROUPS)}'
        values = packed(given, handles)
        text = expression.strip()
        found = await self._send('Runtime.evaluate', {'expression': f'({text})' if STATEMENT.match(text) else text, 'awaitPromise': True, 'objectGroup': group})
        # Errors, and what is no object, are told by themselves.
        value = value_of(found)
        if 'objectId' not in found['result']:
            # Of these, only NaN is true here and false there.
            return [bool(value) and value == value, value]
        try:
            objects = [await self._among_its_own(one._handle, group) for one in handles]
            arguments = [{'objectId': found['result']['objectId']}, {'value': values}, *({'objectId': one} for one in objects)]
            return unpacked(await self._call(CALL, arguments, objectId=found['result']['objectId']), {})
        finally:
            self._send('Runtime.releaseObjectGroup', {'objectGroup': group}).add_done_callback(lambda future: future.exception())

    async def _among_its_own(self, handle, group):
        """The element as the page's own scripts have it."""
        node = (await self._send('DOM.describeNode', {'objectId': handle}))['node']['backendNodeId']
        return (await self._send('DOM.resolveNode', {'backendNodeId': node, 'objectGroup': group}))['object']['objectId']

    async def evaluate(self, expression, arg=None):
        return await self._evaluate(expression, arg)

    async def eval_on_selector(self, selector, expression, arg=None):
        found = await self._handles(parts_of(selector))
        if not found:
            raise Error(f'Page.eval_on_selector: Failed to find element matching selector "{selector}"')
        return await self._evaluate(expression, found[0], arg)

    async def eval_on_selector_all(self, selector, expression, arg=None):
        return await self._evaluate(expression, await self._handles(parts_of(selector)), arg)
