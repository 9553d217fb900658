// Renders documents as PDF off the event loop: threads that start when they are needed, a bounded queue before them,
// and a time limit for each document.
import { Worker } from 'node:worker_threads'
import { Busy } from '#kernel/http/errors.ts'
import type { Danfse, Documents, DocumentTemplate } from '#ports/documents.ts'

export type PdfOptions = {
  threads?: number
  /** For one document, from when its thread is ready. */
  timeLimitMs?: number
  /** Until a new thread is ready. */
  startLimitMs?: number
  /** An idle thread ends after this time, since it holds 80 MB. */
  idleMs?: number
  maxBytes?: number
  maxWaiting?: number
}

export type Pdf = Documents & { close(): Promise<void> }

type Task = {
  document: DocumentTemplate | Danfse
  resolve: (bytes: Uint8Array) => void
  reject: (error: Error) => void
}
type Message = { isReady?: true; bytes?: Uint8Array; error?: string }
type Thread = { worker: Worker; task: Task | null; isReady: boolean; timer?: NodeJS.Timeout }

const START_LIMIT_MS = 15_000
const IDLE_MS = 30_000

export function createPdf(options: PdfOptions = {}): Pdf {
  const { threads: most = 1, timeLimitMs = 2000, startLimitMs = START_LIMIT_MS } = options
  const { idleMs = IDLE_MS, maxBytes = 5 * 1024 * 1024, maxWaiting = 100 } = options
  const threads = new Set<Thread>()
  const waiting: Task[] = []

  function end(thread: Thread, error: Error): void {
    clearTimeout(thread.timer)
    threads.delete(thread)
    thread.task?.reject(error)
    thread.task = null
    void thread.worker.terminate()
    next()
  }
  function start(): Thread {
    const worker = new Worker(new URL('./render-thread.ts', import.meta.url), {
      // A small young generation: a document leaves much garbage, and collecting it more often takes no longer.
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 },
    })
    const thread: Thread = { worker, task: null, isReady: false }
    threads.add(thread)
    thread.timer = setTimeout(() => end(thread, new Busy('no rendering thread has started')), startLimitMs)
    worker.on('message', (message: Message) => (message.isReady ? begin(thread) : finish(thread, message)))
    worker.on('error', (error) => end(thread, error instanceof Error ? error : new Error('a rendering thread failed')))
    return thread
  }
  function begin(thread: Thread): void {
    clearTimeout(thread.timer)
    thread.isReady = true
    if (!thread.task) return rest(thread)
    thread.timer = setTimeout(() => end(thread, new Busy('it took too long')), timeLimitMs)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origins
    thread.worker.postMessage(thread.task.document)
  }
  function finish(thread: Thread, { bytes, error }: Message): void {
    clearTimeout(thread.timer)
    const { task } = thread
    thread.task = null
    rest(thread)
    if (!bytes) task?.reject(new Error(`a document could not be rendered: ${error ?? 'unknown'}`))
    else if (bytes.length > maxBytes) task?.reject(new Error(`a document has ${bytes.length} bytes`))
    else task?.resolve(bytes)
    next()
  }
  /** An idle thread must not keep the process alive. */
  function rest(thread: Thread): void {
    thread.worker.unref()
    thread.timer = setTimeout(() => {
      threads.delete(thread)
      void thread.worker.terminate()
    }, idleMs).unref()
  }
  function next(): void {
    const idle = [...threads].find(({ task }) => task === null)
    if (waiting.length === 0 || (!idle && threads.size >= most)) return
    const thread = idle ?? start()
    thread.task = waiting.shift() ?? null
    thread.worker.ref()
    if (thread.isReady) begin(thread)
  }
  return {
    render: (document) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(new Busy('too many documents are waited for'))
        waiting.push({ document, resolve, reject })
        next()
      }),
    async close() {
      for (const task of waiting.splice(0)) task.reject(new Busy('the service stops'))
      await Promise.all(
        [...threads].map(async (thread) => {
          clearTimeout(thread.timer)
          thread.task?.reject(new Busy('the service stops'))
          threads.delete(thread)
          await thread.worker.terminate()
        }),
      )
    },
  }
}
