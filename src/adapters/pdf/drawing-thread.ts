// The thread that draws: one sheet in, its bytes or what went wrong out.
import { parentPort } from 'node:worker_threads'
import type { Sheet } from '#ports/documents.ts'
import { draw } from './draw.ts'

parentPort?.on('message', (sheet: Sheet) => {
  draw(sheet).then(
    (bytes) => parentPort?.postMessage({ bytes }),
    (error: unknown) => parentPort?.postMessage({ error: error instanceof Error ? error.message : 'unknown' }),
  )
})
parentPort?.postMessage({ isReady: true })
