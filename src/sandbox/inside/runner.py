"""The interpreter of `python` code: runs behind the walls, talks to the service over descriptor 3 and to the browser over descriptor 4.

The first argument says as JSON where its parts are: `page` (the folder of ours, over the standard library), and where the `playwright` package is to be
used instead, `package` (what begins with it) and `preload` (what its driver loads); `paths`: where modules are looked for. With `try` after
it only the package is tried.

Nothing here keeps anything out; whoever takes this process over has what it was given, and no more.
"""
import ast
import asyncio
import importlib.util
import inspect
import json
import linecache
import os
import socket
import sys
import traceback

LONGEST = 1024 * 1024
NAME = '<code>'
PARTS = json.loads(sys.argv[1])
VALUE = '__value_of_the_last_expression__'
# Whose frames say nothing of the code.
HELPERS = ('/asyncio/', '/playwright/_impl/', '/playwright/async_api/')


def load(part):
    path, name = PARTS[part], 'trawl_' + part
    folder = path if os.path.isdir(path) else None
    spec = importlib.util.spec_from_file_location(name, os.path.join(path, '__init__.py') if folder else path, submodule_search_locations=[folder] if folder else None)
    module = importlib.util.module_from_spec(spec)
    # Modules of a folder find each other by its name.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def text_of(value):
    if value is None or isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except Exception:
        return repr(value)


def headline(error):
    return ''.join(traceback.format_exception_only(type(error), error)).strip()[:10000]


def described(error):
    """What went wrong, without the frames of this file and of its helpers."""
    # Some errors of syntax do not say themselves what stands in their line.
    if isinstance(error, SyntaxError) and error.filename == NAME and error.text is None and error.lineno:
        error.text = linecache.getline(NAME, error.lineno)
    told = traceback.TracebackException.from_exception(error)
    own = {__file__, ast.__file__, PARTS['package']}
    helpers = (*HELPERS, os.path.join(PARTS['page'], ''))

    def strip(one, depth=0):
        if one is None or depth > 20:
            return
        one.stack = traceback.StackSummary.from_list([frame for frame in one.stack if frame.filename not in own and not any(helper in frame.filename for helper in helpers)])
        strip(one.__cause__, depth + 1)
        strip(one.__context__, depth + 1)

    strip(told)
    return ''.join(told.format())


def compiled(code):
    """The code, with the value of its last expression kept under a name of ours."""
    linecache.cache[NAME] = (len(code), None, code.splitlines(True), NAME)
    tree = ast.parse(code, NAME)
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = tree.body[-1]
        tree.body[-1] = ast.copy_location(ast.Assign([ast.copy_location(ast.Name(VALUE, ast.Store()), last)], last.value), last)
    return compile(tree, NAME, 'exec', ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


async def evaluate(code, names):
    names.pop(VALUE, None)
    made = eval(compiled(code), names)
    if inspect.iscoroutine(made):
        await made
    value = names.pop(VALUE, None)
    # A coroutine that nobody awaited: its value is what was meant.
    return await value if inspect.isawaitable(value) else value


def write_all(descriptor, text):
    try:
        rest = memoryview(text.encode('utf-8', 'replace'))
        while rest:
            rest = rest[os.write(descriptor, rest):]
    except OSError:
        # Code that closed a stream gets nothing through.
        pass


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


async def run(order, names, connection):
    try:
        await connection.refresh(names, order['timeoutMs'])
        text = text_of(await evaluate(order['code'], names))
        return {'result': None if text is None else text[:LONGEST], 'cut': text is not None and len(text) > LONGEST, 'error': None}
    except SystemExit as leaving:
        flush()
        number = leaving.code
        if number is not None and not isinstance(number, int):
            write_all(2, f'{number}\n')
        os._exit(number & 255 if isinstance(number, int) else 0 if number is None else 1)
    except BaseException as error:
        flush()
        write_all(2, described(error))
        return {'result': None, 'cut': False, 'error': headline(error)}


def on_stray(loop, context):
    """Tells of an error that no code waits for."""
    if 'exception' not in context:
        return loop.default_exception_handler(context)
    sys.stderr.write(described(context['exception']))


def awaited(running):
    """What runs a coroutine in a loop; where one runs already, it says what to write instead, which Python does not."""
    def run(*given, **options):
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return running(*given, **options)
        main = next(filter(inspect.iscoroutine, given), None)
        if main is not None:
            # Nobody else will, and a warning of that would tell of the wrong thing.
            main.close()
        raise RuntimeError(f'The code runs in an event loop already: write `await {getattr(main, "__name__", "main")}()`, which works outside of functions too.')

    return run


async def connected(page):
    if PARTS['package'] is None:
        return await load('page').connect(4, page)
    return await load('package').connect(4, PARTS['preload'], page)


async def main():
    reader, writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=3), limit=64 * LONGEST)
    asyncio.get_running_loop().set_exception_handler(on_stray)
    asyncio.run, asyncio.BaseEventLoop.run_until_complete = awaited(asyncio.run), awaited(asyncio.BaseEventLoop.run_until_complete)
    # Whoever starts this may not yet know for which browser.
    try:
        page = json.loads((await reader.readuntil(b'\0'))[:-1])['page']
    except asyncio.IncompleteReadError:
        os._exit(0)
    connection = await connected(page)
    own = os.getpid()
    names = {'__name__': '__main__', '__builtins__': __builtins__, 'asyncio': asyncio, **connection.names()}

    def send(value):
        # Whatever the code has put there before ends here.
        writer.write(b'\0' + json.dumps(value).encode() + b'\0')

    send({'ready': True})
    while True:
        try:
            order = json.loads((await reader.readuntil(b'\0'))[:-1])
        except asyncio.IncompleteReadError:
            os._exit(0)
        answer = await run(order, names, connection)
        flush()
        # A process that the code has forked is not this interpreter: it would answer in its place, and take what is to run next.
        if os.getpid() != own:
            os._exit(0 if answer['error'] is None else 1)
        write_all(1, order['mark'])
        write_all(2, order['mark'])
        send({'done': order['id'], 'left': connection.left, **answer})


sys.path.extend(path for path in PARTS['paths'] if path not in sys.path)
asyncio.run(load('package').tried(PARTS['preload']) if sys.argv[2:] == ['try'] else main())
