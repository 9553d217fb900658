// The pauses of the client before it asks again: of a service that is busy, or that was asked too much and says for how long.
import { useSyncExternalStore } from 'react'

/** The seconds of each pause that runs now. */
const pauses = new Set<{ seconds: number }>()
const readers = new Set<() => void>()

const tell = (): void => readers.forEach((read) => read())

/** What has a signal is asked for in the background, as the feed of events: nobody waits for it. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const pause = { seconds: Math.ceil(ms / 1000) }
  if (!signal) pauses.add(pause)
  tell()
  return new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => resolve(), { once: true })
  }).finally(() => {
    pauses.delete(pause)
    tell()
  })
}

function listen(read: () => void): () => void {
  readers.add(read)
  return () => void readers.delete(read)
}

/** How long the longest pause is; 0 without one. */
export const usePause = (): number =>
  useSyncExternalStore(listen, () => Math.max(0, ...[...pauses].map(({ seconds }) => seconds)))
