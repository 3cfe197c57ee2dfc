import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

const paragraph = 'The ferry leaves the inner harbour at seven and calls at both islands before noon. '
const story = `<!doctype html><meta charset="utf-8"><title>Story</title><main><h1>Story</h1><p>${paragraph.repeat(6)}</p></main>`
const script = (code: string): string => `${story}<script>${code}</script>`

/** Pages that attack the browser, by name. */
const pages: Readonly<Record<string, string>> = {
  good: script('document.body.append("MARK")'),
  loop: script('setTimeout(() => { for (;;); }, 30)'),
  memory: script('const a = []; setInterval(() => a.push(new Uint8Array(4e7).fill(1)), 5)'),
  dialogs: script('setInterval(() => alert(1), 1); onbeforeunload = () => "stay"'),
  popups: script('setInterval(() => open("/good"), 1)'),
  console: script('for (;;) console.log("x".repeat(1000))'),
  leave: script('onbeforeunload = e => { e.preventDefault(); for (;;); }; onunload = () => { for (;;); }'),
  workers: script('for (let i = 0; i < 4; i++) new Worker("/endless.js"); new SharedWorker("/endless.js"); navigator.serviceWorker?.register("/endless.js").catch(() => 0)'),
  sockets: script('for (let i = 0; i < 8; i++) { new WebSocket(location.origin.replace("http", "ws") + "/socket"); fetch("/half"); new EventSource("/half") }'),
  frames: `${story}${'<iframe src="/good"></iframe>'.repeat(10)}<iframe src="/half"></iframe>`,
  download: script('setInterval(() => { const a = document.createElement("a"); a.href = "data:application/zip,x"; a.download = "a.zip"; a.click() }, 5)'),
  away: script('setInterval(() => { location.href = "/away?" + Math.random() }, 20)'),
}

/** A server for them; paths without a page never finish their answer. */
export async function startHostile(more: Readonly<Record<string, string>> = {}): Promise<{ readonly port: number; url(name: string): string; close(): void }> {
  const open = new Set<ServerResponse | Socket>()
  const server = createServer((request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
    const name = (request.url ?? '').slice(1).replace(/\?.*/, '')
    const page = more[name] ?? pages[name]
    if (name.endsWith('.js')) return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(more[name] ?? 'setInterval(() => fetch("/good"), 50)')
    response.setHeader('content-type', 'text/html')
    if (page === undefined) response.write('<h1>half')
    else response.end(page)
  })
  server.on('upgrade', (_request, socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address
  return {
    port,
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    close() {
      for (const one of open) one.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

const build = (code: string): string => `<!doctype html><title>Heavy</title><main><h1>Heavy MARK</h1></main><script>const main = document.querySelector('main'); ${code}</script>`

/** Pages whose scripts create more than can be shown or read, by name. */
export const heavyPages: Readonly<Record<string, string>> = {
  elements: build(`for (let i = 0; i < 600000; i++) { const p = document.createElement('p'); p.textContent = 'word ' + i; main.append(p) }`),
  markup: build(`main.innerHTML += '<b>x</b>'.repeat(600000)`),
  text: build(`const words = 'lorem ipsum dolor sit amet '.repeat(1000); for (let i = 0; i < 2300; i++) { const p = document.createElement('p'); p.textContent = words; main.append(p) }`),
  'one-text': build(`const p = document.createElement('p'); p.textContent = 'lorem ipsum dolor sit amet '.repeat(2300000); main.append(p)`),
  attribute: build(`for (let i = 0; i < 60; i++) main.append(Object.assign(document.createElement('p'), { title: 'x'.repeat(1e6), textContent: 'word' }))`),
  deep: build(`const outer = document.createElement('div'); let inner = outer; for (let i = 0; i < 6000; i++) { const div = document.createElement('div'); div.append('word ' + i); inner.append(div); inner = div } main.append(outer)`),
}
