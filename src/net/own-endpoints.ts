import { networkInterfaces } from 'node:os'
import { canonicalAddress, type Endpoint, isLoopback } from './addresses.ts'

/** The sockets that this process listens on: never reachable by pages, whatever an allow-list says. */
export interface OwnEndpoints {
  /**
   * Adds a listening address (`0.0.0.0` and `::` stand for all addresses of this machine); returns a function that removes
   * it.
   */
  add(endpoint: Endpoint): () => void
  has(endpoint: Endpoint): boolean
}

function isOfThisMachine(address: string): boolean {
  if (isLoopback(address)) return true
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => canonicalAddress(entry.address) === address))
}

/** An empty register, to be shared by every egress guard of the process. */
export function ownEndpoints(): OwnEndpoints {
  const known = new Set<Endpoint>()
  return {
    add(endpoint) {
      const entry = { address: canonicalAddress(endpoint.address) ?? endpoint.address, port: endpoint.port }
      known.add(entry)
      return () => void known.delete(entry)
    },
    has({ address, port }) {
      const target = canonicalAddress(address) ?? address
      return [...known].some((own) => {
        if (own.port !== port) return false
        // On most systems, connecting to the unspecified address reaches loopback.
        if (target === '0.0.0.0' || target === '::') return true
        return own.address === '0.0.0.0' || own.address === '::' ? isOfThisMachine(target) : own.address === target
      })
    },
  }
}
