// The rendering thread: it receives one document at a time and answers with its bytes or an error message.
// oxlint-disable unicorn/require-post-message-target-origin -- a thread's port has no origins
import { parentPort } from 'node:worker_threads'
import type { Danfse, DocumentTemplate } from '#ports/documents.ts'
import { renderDocument } from './render-document.ts'

parentPort?.on('message', (document: DocumentTemplate | Danfse) => {
  renderDocument(document).then(
    (bytes) => parentPort?.postMessage({ bytes }),
    (error: unknown) => parentPort?.postMessage({ error: error instanceof Error ? error.message : 'unknown' }),
  )
})
/** Opening the fonts takes longest, so that a thread renders this once before it reports that it is ready. */
const WARM_UP: DocumentTemplate = {
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
void renderDocument(WARM_UP).then(() => parentPort?.postMessage({ isReady: true }))
