import { once } from 'node:events'
import { createServer } from 'node:http'

/** Throws what listening there would throw: before anything else is opened, so that whoever starts a second service hears of the port and not of the data folder that the first has as well. */
export async function assertPortFree(port: number, host: string): Promise<void> {
  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
