import { once } from 'node:events'
import { createServer } from 'node:http'

/**
 * Throws what listening there would throw. Called before anything else is opened, so that starting a second service reports
 * the port rather than the data folder that both use.
 */
export async function assertPortFree(port: number, host: string): Promise<void> {
  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
