// Renders documents as PDF off the event loop: threads that start when they are needed, a queue before them that is
// bounded in number and time, and a time limit for each document.
import { Worker } from 'node:worker_threads'
import { Busy } from '#kernel/values/errors.ts'
import type { Danfse, Documents, DocumentTemplate } from '#ports/documents.ts'

export type PdfOptions = {
  threads?: number
  /** For one document, from when a thread begins with it. */
  timeLimitMs?: number
  /** Until then, the start of a thread included. */
  waitLimitMs?: number
  /** Until a new thread is ready; it goes on starting when those that wait for it have given up. */
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
  /** Ends its waiting. */
  timer?: NodeJS.Timeout
}
type Message = { isReady?: true; bytes?: Uint8Array; error?: string }
type Thread = { worker: Worker; task: Task | null; isReady: boolean; timer?: NodeJS.Timeout }

const START_LIMIT_MS = 15_000
/** As long as for an answer of the database (docs/decisions/0026). */
const WAIT_LIMIT_MS = 5000
const IDLE_MS = 30_000
/** As many as one thread renders in that time on a machine with nothing else to do. */
const MOST_WAITING = 50

export function createPdf(options: PdfOptions = {}): Pdf {
  const { threads: most = 1, timeLimitMs = 2000, startLimitMs = START_LIMIT_MS, idleMs = IDLE_MS } = options
  const { waitLimitMs = WAIT_LIMIT_MS, maxBytes = 5 * 1024 * 1024, maxWaiting = MOST_WAITING } = options
  const threads = new Set<Thread>()
  const waiting: Task[] = []

  function end(thread: Thread, error: Error): void {
    clearTimeout(thread.timer)
    threads.delete(thread)
    // For a thread that has not started, one of those that wait gives up, so that they do not try again for ever.
    const task = thread.isReady ? thread.task : taken()
    task?.reject(error)
    thread.task = null
    void thread.worker.terminate()
    next()
  }
  function start(): void {
    const worker = new Worker(new URL('./render-thread.ts', import.meta.url), {
      // A small young generation: a document leaves much garbage, and collecting it more often takes no longer.
      resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 },
    })
    const thread: Thread = { worker, task: null, isReady: false }
    threads.add(thread)
    thread.timer = setTimeout(() => end(thread, new Busy('no rendering thread has started')), startLimitMs)
    worker.on('message', (message: Message) => (message.isReady ? started(thread) : finish(thread, message)))
    worker.on('error', (error) => end(thread, error instanceof Error ? error : new Error('a rendering thread failed')))
  }
  function started(thread: Thread): void {
    clearTimeout(thread.timer)
    thread.isReady = true
    rest(thread)
    next()
  }
  function begin(thread: Thread, task: Task): void {
    clearTimeout(thread.timer)
    thread.task = task
    thread.worker.ref()
    thread.timer = setTimeout(() => end(thread, new Busy('it took too long')), timeLimitMs)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origins
    thread.worker.postMessage(task.document)
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
    if (waiting.length === 0) return
    const idle = [...threads].find(({ task, isReady }) => isReady && task === null)
    const task = idle && taken()
    if (idle && task) begin(idle, task)
    else if (threads.size < most) start()
  }
  /** The one that has waited longest. */
  function taken(): Task | null {
    const task = waiting.shift() ?? null
    clearTimeout(task?.timer)
    return task
  }
  function wait(task: Task): void {
    task.timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(task), 1)
      task.reject(new Busy('it waited too long'))
    }, waitLimitMs)
    waiting.push(task)
    next()
  }
  return {
    render: (document) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(new Busy('too many documents are waited for'))
        wait({ document, resolve, reject })
      }),
    async close() {
      for (let task = taken(); task; task = taken()) task.reject(new Busy('the service stops'))
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
