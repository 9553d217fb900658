// The load: autocannon as fast as the server answers, or requests at an even pace. Both run in the process that started the
// servers, which does nothing else at the time.
import autocannon from 'autocannon'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Question, Questions } from './questions.ts'

export type Round = { rate: number; p50: number; p99: number; answers: number }

export type Load = { url: string; seconds: number; connections: number }

/** Answers per second over one round. An answer other than 2xx fails the run, since it would measure something else. */
export async function fullSpeed(questions: Questions, { url, seconds, connections }: Load): Promise<Round> {
  const times: number[] = []
  const refusals = new Set<number>()
  let refused = 0
  let started = performance.now()
  const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const requests = requestsOf(questions, () => instance.stop())
    const instance = autocannon(
      { url, connections, duration: seconds, sampleInt: 100, requests },
      (error: unknown, result) => (error ? reject(error) : resolve(result)),
    )
    instance.on('start', () => (started = performance.now()))
    instance.on('response', (_client, status, _bytes, ms) => {
      if (status >= 200 && status < 300) times.push(ms)
      else {
        refusals.add(status)
        refused++
      }
    })
  })
  const elapsed = (performance.now() - started) / 1000
  if (refused + errors > 0 || times.length === 0)
    throw new Error(
      `${refused} refusals (${[...refusals].join()}) and ${errors} errors among ${times.length} answers of ${url}`,
    )
  return { rate: times.length / elapsed, ...percentiles(times), answers: times.length }
}

function requestsOf(questions: Questions, whenOut: () => void): autocannon.Request[] {
  if (questions.all) return questions.all
  const { steps, nextSequence } = questions
  // Each connection has its own context, and a new one for each of its sequences.
  const sequences = new WeakMap<object, Question[] | undefined>()
  return Array.from({ length: steps }, (_, step) => ({
    method: 'POST' as const,
    setupRequest: (request: autocannon.Request, context: object) => {
      if (step === 0) sequences.set(context, nextSequence())
      const question = sequences.get(context)?.[step]
      // No request is left: the round ends early and counts what it has.
      if (!question) setImmediate(whenOut)
      return { ...request, ...(question ?? { method: 'GET' as const, path: '/healthz', headers: {} }) }
    },
  }))
}

/** Requests at an even pace. Latency counts from when a request was due, so that it includes stalls of the server. */
export async function evenPace(
  all: readonly Question[],
  perSecond: number,
  { url, seconds, connections }: Load,
): Promise<Round> {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const times: number[] = []
  const running = new Set<Promise<void>>()
  let refused = 0
  const ask = async (question: Question, due: number): Promise<void> => {
    const { statusCode, body } = await pool.request(question)
    await body.dump({ limit: 1e6 })
    if (statusCode === 200) times.push(performance.now() - due)
    else refused++
  }
  const started = performance.now()
  for (let sent = 0; sent < perSecond * seconds;) {
    const due = started + (sent * 1000) / perSecond
    const question = all[sent % all.length]
    if (!question) break
    if (performance.now() < due) {
      // Sleeps in between, since a busy loop would take a core from the server.
      await sleep(1)
      continue
    }
    sent++
    const one = ask(question, due).finally(() => running.delete(one))
    running.add(one)
  }
  await Promise.all(running)
  const elapsed = (performance.now() - started) / 1000
  await pool.close()
  if (refused > 0) throw new Error(`${refused} refusals at an even pace`)
  return { rate: times.length / elapsed, ...percentiles(times), answers: times.length }
}

function percentiles(times: number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(times).toSorted()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
