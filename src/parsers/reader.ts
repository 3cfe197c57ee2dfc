import { parentPort } from 'node:worker_threads'
import { once } from '../lib/once.ts'
import type { Reply, Work } from './messages.ts'

// The reader of one kind is no use for the other, and slow to load.
const pdf = once(() => import('./pdf/read.ts'))
const documents = once(() => import('./documents/read.ts'))

async function read({ bytes, order, hurried }: Work): Promise<Reply> {
  return order === null ? (await documents()).readDocument(bytes) : (await pdf()).readPdf({ bytes, order, hurried })
}

// The thread in which libraries run; the process itself stays free to watch it.
parentPort?.on('message', (work: Work) => void read(work).then((reply) => parentPort?.postMessage(reply)))
