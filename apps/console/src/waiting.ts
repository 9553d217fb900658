// The pauses of the client before it asks again: of a service that is busy, or that was asked too much and says for how long.
import { storeOf, useStore } from './store.ts'

type Pause = { seconds: number }

/** Those that run now. */
const pauses = storeOf<readonly Pause[]>([])

/** What has a signal is asked for in the background, as the feed of events: nobody waits for it. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const pause = { seconds: Math.ceil(ms / 1000) }
  if (!signal) pauses.set([...pauses.get(), pause])
  return new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => resolve(), { once: true })
  }).finally(() => pauses.set(pauses.get().filter((one) => one !== pause)))
}

/** How long the longest pause is; 0 without one. */
export const usePause = (): number => Math.max(0, ...useStore(pauses).map(({ seconds }) => seconds))
