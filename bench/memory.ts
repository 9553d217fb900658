// The memory of the service as `npm start` runs it, with its demo: idle, after reads, and after mixed load with documents. That of
// PostgreSQL is not counted.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasProc, memoryOf } from './cpu.ts'
import { startGenerator } from './load/load.ts'
import { type Started, npmStart } from './npm-start.ts'
import type { Question } from './questions.ts'
import { upTo } from './report.ts'
import type { Report, Run } from './run.ts'
import { UNLIMITED } from './settings.ts'

const API = '/api/v1'
/** An owner in the demo, whose organization has some of everything. */
const OWNER = { email: 'ana@padaria.example', password: 'demo-titular-2026' }
const SETTLE_MS = 5000
const DOCUMENTS = 50
const TICKETS_PER_SECOND = 10

export async function measureMemory(run: Run): Promise<Report> {
  if (!hasProc) return { verdicts: [], lines: ['The memory of the service is measured on Linux only.'], figures: null }
  const minuteSeconds = run.quick ? 10 : 60
  const minutes = run.quick ? 2 : 10
  const dataDir = join(run.home, 'memory')
  // The first start makes the demo, which later ones do not, and works on its mails and documents.
  const first = await npmStart(run, dataDir, UNLIMITED)
  await jobsDone(first)
  await first.stop()
  const service = await npmStart(run, dataDir, UNLIMITED)
  const measured: Record<string, { now: number; peak: number }> = {}
  await sleep(SETTLE_MS)
  measured['idle'] = memoryOf(service.pid)
  const load = { url: service.url, seconds: minuteSeconds, connections: run.connections }
  await run.generator.fullSpeed({ all: (await questionsOf(service)).reads }, load)
  measured['reads'] = memoryOf(service.pid)
  for (let minute = 0; minute < minutes; minute++) await mixedMinute(run, service, minuteSeconds)
  measured['mixed'] = memoryOf(service.pid)
  await service.stop()
  const megabytes = (name: string) => measured[name]?.now ?? Number.NaN
  const mixed = `${minutes * minuteSeconds} s of mixed load with ${DOCUMENTS} PDFs a minute`
  return {
    verdicts: [
      upTo('memory, idle', megabytes('idle'), 150, 'MB'),
      upTo(`memory, after ${minuteSeconds} s of reads`, megabytes('reads'), 200, 'MB'),
      upTo(`memory, after ${mixed}`, megabytes('mixed'), 260, 'MB'),
    ],
    lines: [],
    figures: measured,
  }
}

const JOBS_MS = 60_000
const POLL_MS = 500

async function jobsDone({ url }: Started): Promise<void> {
  const deadline = performance.now() + JOBS_MS
  for (;;) {
    const metrics = await answerOf(url, { method: 'GET', path: '/metrics', headers: {} })
    if (!/^titular_jobs\{.*state="(due|running)"\} [1-9]/m.test(metrics)) return
    if (performance.now() > deadline) throw new Error('the jobs of the demo are not done')
    await sleep(POLL_MS)
  }
}

/** Reads as fast as they are answered, tickets at an even pace, and all documents at once. */
async function mixedMinute(run: Run, service: Started, seconds: number): Promise<void> {
  // Signed in anew, since a token does not last ten minutes.
  const { reads, documents, ticket } = await questionsOf(service)
  const { url } = service
  const other = await startGenerator(run.home)
  try {
    await Promise.all([
      run.generator.fullSpeed({ all: reads }, { url, seconds, connections: run.connections >> 1 }),
      other.evenPace({ all: [ticket] }, TICKETS_PER_SECOND, { url, seconds, connections: 2 }),
      ...Array.from({ length: DOCUMENTS }, (_, index) => answerOf(url, documents[index % documents.length])),
    ])
  } finally {
    await other.stop()
  }
}

async function questionsOf({ url }: Started): Promise<{ reads: Question[]; documents: Question[]; ticket: Question }> {
  const json = { 'content-type': 'application/json' }
  const login = { method: 'POST' as const, path: `${API}/auth/login`, headers: json, body: JSON.stringify(OWNER) }
  const { access_token: token } = JSON.parse(await answerOf(url, login)).data
  const authorization = { authorization: `Bearer ${token}` }
  const get = (path: string, headers: Record<string, string>): Question => ({
    method: 'GET',
    path: API + path,
    headers,
  })
  const recordsOf = async (path: string, headers: Record<string, string>): Promise<Named[]> =>
    JSON.parse(await answerOf(url, get(path, headers))).data
  const [organization] = await recordsOf('/organizations', authorization)
  const headers = { ...authorization, 'x-service-organization': String(organization?.id) }
  const entitlements = await recordsOf('/entitlements', headers)
  const quotes = await recordsOf('/quotes', headers)
  const hosted = entitlements.find((one) => one.class === 'ENV') ?? entitlements[0]
  const about = { title: 'The backup fails', description: 'Since last night', entitlement_id: hosted?.id }
  const lists = ['entitlements', 'quotes', 'invoices', 'licenses', 'tickets', 'events'].map((name) => `/${name}`)
  const records = entitlements.flatMap(({ id, code }) => [`/entitlements/code/${code}`, `/entitlements/${id}/lineage`])
  return {
    reads: [...lists, ...records].map((path) => get(path, headers)),
    documents: quotes.map(({ id }) => get(`/quotes/${id}/pdf`, headers)),
    ticket: { method: 'POST', path: `${API}/tickets`, headers: { ...headers, ...json }, body: JSON.stringify(about) },
  }
}

type Named = { id: number; code?: string; class?: string }

async function answerOf(url: string, question: Question | undefined): Promise<string> {
  if (!question) throw new Error('the demo has no such record')
  const { path, method, headers, body } = question
  const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${path}: ${text}`)
  return text
}
