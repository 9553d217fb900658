// The thread that draws: one document in, its bytes or what went wrong out.
// oxlint-disable unicorn/require-post-message-target-origin -- a thread's port has no origins
import { parentPort } from 'node:worker_threads'
import type { Danfse, Sheet } from '#ports/documents.ts'
import { draw } from './draw.ts'

parentPort?.on('message', (document: Sheet | Danfse) => {
  draw(document).then(
    (bytes) => parentPort?.postMessage({ bytes }),
    (error: unknown) => parentPort?.postMessage({ error: error instanceof Error ? error.message : 'unknown' }),
  )
})
/** Opening the fonts takes longest; a first sheet for nobody does it before anybody's time runs. */
const NOTHING: Sheet = {
  language: 'en',
  title: '',
  reference: '',
  madeAt: '2000-01-01T00:00:00.000Z',
  letterhead: { name: '', lines: [] },
  recipient: { label: '', lines: [] },
  blocks: [
    { kind: 'text', text: 'Aé' },
    { kind: 'qr', content: 'A', caption: '' },
  ],
  pageOf: '',
}
void draw(NOTHING).then(() => parentPort?.postMessage({ isReady: true }))
