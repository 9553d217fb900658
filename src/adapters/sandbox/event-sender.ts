// Sends the events of a system of the sandbox, each in the background and again after the given gaps.
import { randomUUID } from 'node:crypto'
import type { Agent } from 'undici'
import { type OutgoingEvent, postEvent } from './post-event.ts'
import { schedule } from './payments/schedule.ts'

const TIMEOUT_MS = 10_000

export type EventSender = {
  /** `make` is called for each attempt, since some sign the time of it. */
  send(make: (attempt: number) => OutgoingEvent): void
  stop(): Promise<void>
}

/** `retryGapsMs`: none where the real system does not repeat what was not taken. */
export function eventSender(
  retryGapsMs: readonly number[],
  onError: (error: unknown, about: string) => void,
): EventSender {
  const later = schedule(onError)
  let agent: Promise<Agent> | null = null
  later.start()
  return {
    send(make) {
      let attempt = 0
      later.plan(randomUUID(), 0, async (stop) => {
        const dispatcher = await (agent ??= openAgent())
        const isTaken = await postEvent(make(attempt), { dispatcher, stop, timeoutMs: TIMEOUT_MS })
        const gapMs = retryGapsMs[attempt] ?? null
        attempt += 1
        return isTaken ? null : gapMs
      })
    },
    async stop() {
      await later.stop()
      await (await agent)?.destroy()
    },
  }
}

const openAgent = async (): Promise<Agent> => new (await import('undici')).Agent()
