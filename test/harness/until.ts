// Waits for a condition instead of a time, since the machine may be busy. The limit only ends a test that would never end,
// with the last value in its message.
import { setTimeout as sleep } from 'node:timers/promises'

const LIMIT_MS = 600_000
const PAUSE_MS = 10

export async function until<Value>(
  look: () => Promise<Value> | Value,
  isThere: (value: Value) => boolean = Boolean,
  explain: () => string = () => '',
): Promise<Value> {
  const deadline = performance.now() + LIMIT_MS
  for (;;) {
    const value = await look()
    if (isThere(value)) return value
    if (performance.now() > deadline) throw new Error(`it never came; last seen: ${JSON.stringify(value)} ${explain()}`)
    await sleep(PAUSE_MS)
  }
}

/** Repeats the attempt until it does not throw. */
export async function succeeds<Value>(attempt: () => Promise<Value>): Promise<Value> {
  let failure: unknown
  const outcome = await until(
    () =>
      attempt().then(
        (value) => ({ value }),
        (error: unknown) => void (failure = error),
      ),
    (made) => made !== undefined,
    () => String(failure),
  )
  if (outcome === undefined) throw failure
  return outcome.value
}
