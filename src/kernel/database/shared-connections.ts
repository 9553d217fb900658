// A few connections that all reads share, one group of statements on each at a time.
import type { Client } from 'pg'
import { DatabaseUnavailable } from '#kernel/http/errors.ts'
import { CONNECT_TIMEOUT_MS, type AnswerTimeouts, sever } from './answer-timeouts.ts'
import type { PoolState } from './pool-state.ts'

export type SharedConnections = {
  run<Result>(work: (client: Client) => Promise<Result>): Promise<Result>
  state(): Omit<PoolState, 'name'>
  close(): Promise<void>
}
/** `turn` resolves when the work before has its answer; pg's own queue is deprecated. */
type SharedConnection = { client: Promise<Client>; opened?: Client; waiting: number; turn: Promise<unknown> }

/** A few connections shared by all reads; each work goes to the lane with the fewest before it. Lost ones are replaced. */
export function createSharedConnections(
  size: number,
  connect: () => Promise<Client>,
  timeouts: AnswerTimeouts,
): SharedConnections {
  const lanes: (SharedConnection | undefined)[] = Array.from({ length: size }, () => undefined)

  function open(index: number): SharedConnection {
    const client = connect()
    const lane: SharedConnection = { client, waiting: 0, turn: client.catch(() => {}) }
    lanes[index] = lane
    const forget = () => {
      if (lanes[index] === lane) lanes[index] = undefined
    }
    void lane.client.then((opened) => (lane.opened = opened.once('end', forget).once('error', forget)), forget)
    return lane
  }
  const isSuspect = ({ opened }: SharedConnection): boolean => opened !== undefined && timeouts.isSuspect(opened)
  /** What still runs there is waited for; nothing new goes there. */
  function replaceSuspects(): void {
    for (const [index, lane] of lanes.entries()) {
      if (!lane || !isSuspect(lane)) continue
      lanes[index] = undefined
      if (lane.waiting === 0 && lane.opened) sever(lane.opened)
    }
  }
  function leastBusy(): SharedConnection {
    replaceSuspects()
    let best: SharedConnection | undefined
    for (let index = 0; index < size; index++) {
      const lane = lanes[index]
      if (!lane) {
        // Open another connection only when all that are open have work.
        if (!best || best.waiting > 0) return open(index)
      } else if (!best || lane.waiting < best.waiting) best = lane
    }
    return best ?? open(0)
  }
  return {
    async run(work) {
      const lane = leastBusy()
      const before = lane.turn
      const isQueued = lane.waiting++ > 0
      let gaveUp = false
      const result = before
        .then(async () => {
          if (gaveUp) throw new DatabaseUnavailable('waited too long for a connection')
          const client = await lane.client.catch((error: unknown) => {
            throw new DatabaseUnavailable(error)
          })
          return work(client)
        })
        .finally(() => {
          lane.waiting--
          if (lane.waiting === 0 && lane.opened && isSuspect(lane)) sever(lane.opened)
        })
      lane.turn = result.catch(() => {})
      if (isQueued)
        await inTime(before).catch((error: unknown) => {
          gaveUp = true
          throw error
        })
      return result
    },
    state() {
      const opened = lanes.filter((lane) => lane !== undefined)
      const waiting = opened.reduce((sum, lane) => sum + Math.max(0, lane.waiting - 1), 0)
      return { size, open: opened.length, idle: opened.filter((lane) => lane.waiting === 0).length, waiting }
    },
    async close() {
      await Promise.allSettled(lanes.map(async (lane) => (await lane?.client)?.end()))
    },
  }
}

/** Resolves with the turn, or rejects when it is long in coming: the statement before it may wait for a lock. */
function inTime(turn: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new DatabaseUnavailable('waited too long for a connection')),
      CONNECT_TIMEOUT_MS,
    )
    void turn.finally(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
