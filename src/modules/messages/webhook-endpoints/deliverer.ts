// The loop behind webhooks, beside the jobs and with places of its own: makes deliveries of new events, and sends what
// is due, to several endpoints at once.
import { randomUUID } from 'node:crypto'
import { outageLog } from '#kernel/values/outage-log.ts'
import { fanOut, type FanOut } from './fan-out.ts'
import { claimStatement, dueStatement } from './sender-queries.ts'
import { LEASE_SECONDS, sendDeliveries, type Sending } from './send-deliveries.ts'

const POLL_MS = 1000
/** Places that become free within this time are filled by one claim. */
const GATHER_MS = 15
const DUE_AT_ONCE = 25

export type DelivererOptions = FanOut &
  Omit<Sending, 'isStopping' | 'read'> & {
    /** Endpoints that are sent to at once. */
    concurrency: number
    log: { info(details: object, message: string): void; error(details: object, message: string): void }
  }

export type Deliverer = {
  start(): void
  /** Sends until nothing is due; for tests and commands. */
  drain(): Promise<void>
  /** Begins no further request, and waits for those that run. */
  stop(): Promise<void>
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { concurrency, read, clock, log, hiddenScopes } = options
  const running = new Map<Promise<void>, { isFailing: boolean }>()
  const problems = outageLog(log, { failed: 'webhooks could not be sent', over: 'webhooks are sent again' })
  let isStopped = true
  let isStopping = false
  let timer: NodeJS.Timeout | undefined
  let gathering: NodeJS.Timeout | undefined
  let pass: Promise<number> | undefined

  async function claim(): Promise<number> {
    const limit = concurrency - running.size
    if (limit <= 0 || isStopping) return 0
    const failing = [...running.values()].filter(({ isFailing }) => isFailing).length
    const failingLimit = Math.max(0, Math.floor(concurrency / 2) - failing)
    const lease = randomUUID()
    const now = clock()
    const claimed = await read(
      claimStatement({ lease, now, leaseSeconds: LEASE_SECONDS, limit, failingLimit, hiddenScopes }),
    )
    if (claimed.length === 0) return 0
    const ids = claimed.map(({ endpoint_id }) => endpoint_id)
    const due = Map.groupBy(await read(dueStatement(ids, now, DUE_AT_ONCE)), ({ endpoint_id }) => endpoint_id)
    for (const endpoint of claimed) {
      const sending = { ...options, isStopping: () => isStopping }
      const lane = sendDeliveries(sending, { endpoint, lease }, due.get(endpoint.endpoint_id) ?? [])
        .catch(problems.failed)
        .finally(() => {
          running.delete(lane)
          gather()
        })
      running.set(lane, { isFailing: endpoint.failures > 0 })
    }
    return claimed.length
  }
  /** One pass at a time, because two would claim more than there are places. */
  function advance(withNewEvents: boolean): Promise<number> {
    pass ??= (withNewEvents ? fanOut(options).then(claim) : claim()).finally(() => (pass = undefined))
    return pass
  }
  const wake = (withNewEvents: boolean) => void advance(withNewEvents).then(problems.succeeded, problems.failed)
  function gather(): void {
    if (isStopped) return
    gathering ??= setTimeout(() => {
      gathering = undefined
      if (!isStopped) wake(false)
    }, GATHER_MS)
  }
  return {
    start() {
      isStopped = isStopping = false
      timer = setInterval(wake, POLL_MS, true)
      wake(true)
    },
    async drain() {
      for (;;) {
        await pass?.catch(() => 0)
        const claimed = await advance(true)
        if (claimed === 0 && running.size === 0) return
        await Promise.all(running.keys())
      }
    },
    async stop() {
      isStopped = isStopping = true
      clearInterval(timer)
      clearTimeout(gathering)
      await pass?.catch(() => 0)
      await Promise.all(running.keys())
    },
  }
}
