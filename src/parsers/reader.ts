import { parentPort } from 'node:worker_threads'
import type { Work } from './messages.ts'
import { readPdf } from './pdf/read.ts'

// The thread of the reading process in which libraries run; the process itself stays free to watch it.
parentPort?.on('message', (work: Work) => void readPdf(work).then((reply) => parentPort?.postMessage(reply)))
