// Load from another process, so that nothing else that the bench does stalls it: wrk for the highest rate of reads, where it is
// installed, otherwise a process of our own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Question } from '../questions.ts'
import type { Load, Round } from './loader.ts'
import { findWrk, wrkRound } from './wrk.ts'

/** Requests that can be repeated, or the scenario of a database that gives each request once. */
export type Source = { all: Question[] } | { all?: never; dataFile: string; scenario: string }
export type Order = { source: Source; perSecond: number | null; load: Load }
export type Generator = {
  tool: string
  /** Answers per second at most. */
  fullSpeed(source: Source, load: Load): Promise<Round>
  evenPace(source: Source, perSecond: number, load: Load): Promise<Round>
  stop(): Promise<void>
}

/** A small young generation is collected in less than a millisecond. */
const FIXED_MEMORY = ['--max-semi-space-size=1', '--max-old-space-size=256']

/** One round at a time: beside each other run those of two generators. */
export async function startGenerator(): Promise<Generator> {
  const wrk = await findWrk()
  const child = fork(join(import.meta.dirname, 'generator.ts'), { execArgv: FIXED_MEMORY })
  await once(child, 'spawn')
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the process that makes the load has ended')))
  ended.catch(() => {})
  async function order(source: Source, perSecond: number | null, load: Load): Promise<Round> {
    child.send({ source, perSecond, load } satisfies Order)
    const [answer]: { round?: Round; error?: string }[] = await Promise.race([once(child, 'message'), ended])
    if (!answer?.round) throw new Error(answer?.error)
    return answer.round
  }
  return {
    tool: wrk ? 'wrk' : 'a process of Node',
    fullSpeed: (source, load) => {
      const reads = source.all?.every(({ method }) => method === 'GET') ? source.all : null
      return wrk && reads && !load.isSlow ? wrkRound(wrk, reads, load) : order(source, null, load)
    },
    evenPace: order,
    async stop() {
      if (child.exitCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
