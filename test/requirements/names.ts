import { type AddressInfo, createServer } from 'node:net'

/** Listens on a port that must never be reached, and counts connections. */
export async function canary(host = '127.0.0.1', port = 0): Promise<{ readonly port: number; visits(): number; close(): Promise<void> }> {
  let visits = 0
  const server = createServer((socket) => {
    visits++
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const address: AddressInfo | string | null = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    visits: () => visits,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
