import { networkInterfaces } from 'node:os'
import { canonicalAddress, type Endpoint, isLoopback } from './addresses.ts'

/** The sockets that this process listens on: never a page target, whatever an allow-list says. */
export interface OwnEndpoints {
  /** Adds a listening address (`0.0.0.0` and `::` stand for every address of this machine); answers a function that takes it out again. */
  add(endpoint: Endpoint): () => void
  has(endpoint: Endpoint): boolean
}

function isOfThisMachine(address: string): boolean {
  if (isLoopback(address)) return true
  return Object.values(networkInterfaces()).some((list) => list?.some((entry) => canonicalAddress(entry.address) === address))
}

/** An empty register of listening sockets, shared by every egress guard of the process. */
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
        // The unspecified address as a target reaches loopback on most systems.
        if (target === '0.0.0.0' || target === '::') return true
        return own.address === '0.0.0.0' || own.address === '::' ? isOfThisMachine(target) : own.address === target
      })
    },
  }
}
