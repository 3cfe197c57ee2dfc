import { isIP, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { withoutBrackets } from '../lib/endpoint-of.ts'

/** The other side ended the connection before it was encrypted. */
export class ClosedEarly extends Error {
  constructor() {
    super('it closes connections before they are encrypted')
  }
}

/**
 * Starts TLS on a socket, and verifies the certificate against the host. Rejects with `ClosedEarly`, the error of TLS, or the
 * signal's reason.
 */
export function encrypted(socket: Socket, hostname: string, signal: AbortSignal): Promise<TLSSocket> {
  const host = withoutBrackets(hostname).replace(/\.$/, '')
  return new Promise((resolve, reject) => {
    const tls = connect({ socket, host, ...(isIP(host) === 0 ? { servername: host } : {}), ALPNProtocols: ['http/1.1'] })
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', stop)
      act()
    }
    const stop = (): void => {
      reject(signal.reason)
      tls.destroy()
    }
    signal.addEventListener('abort', stop, { once: true })
    tls.on('error', (error) => settle(() => reject(error)))
    tls.once('close', () => settle(() => reject(new ClosedEarly())))
    tls.once('secureConnect', () => settle(() => resolve(tls)))
  })
}
