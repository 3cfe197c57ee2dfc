import asyncio
import json
import socket

from .errors import Error


class Line:
    """One connection to the browser, with a session for each page."""

    def __init__(self):
        self.last = 0
        self.waiting = {}
        self.listeners = {}
        self.left = False

    async def open(self, descriptor):
        self.reader, self.writer = await asyncio.open_unix_connection(sock=socket.socket(fileno=descriptor), limit=128 * 1024 * 1024)
        self.task = asyncio.ensure_future(self.listen())

    async def listen(self):
        try:
            while True:
                self.hear(json.loads((await self.reader.readuntil(b'\0'))[:-1]))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.left = True
            for future in self.waiting.values():
                if not future.done():
                    future.set_exception(Error('The browser is gone.'))

    def hear(self, message):
        if 'id' in message:
            future = self.waiting.pop(message['id'], None)
            if future is None or future.done():
                return
            if 'error' in message:
                future.set_exception(Error(message['error'].get('message', 'the browser refused')))
            else:
                future.set_result(message.get('result', {}))
            return
        listener = self.listeners.get(message.get('sessionId', ''))
        if listener is not None:
            listener(message.get('method'), message.get('params', {}))

    def send(self, method, params=None, session=''):
        if self.left:
            raise Error('The browser is gone.')
        message = {'id': self.last + 1, 'method': method, 'params': params or {}}
        if session:
            message['sessionId'] = session
        # Before anybody waits for it: a line with a number that JSON has not would be the last.
        text = json.dumps(message, allow_nan=False)
        self.last += 1
        future = asyncio.get_running_loop().create_future()
        self.waiting[self.last] = future
        self.writer.write(text.encode() + b'\0')
        return future
