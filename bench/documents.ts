// Renders documents at full speed, and compares the latency of small requests at the same time with that without documents.
import type { Stage } from './compare.ts'
import { evenPace, fullSpeed, type Round } from './load.ts'
import type { Verdict } from './report.ts'

/** Documents at once, as the requirements say. */
const AT_ONCE = 50
const SMALL_PER_SECOND = 50
const SMALL_CONNECTIONS = 4
/** The median of the small requests may be so many milliseconds higher: the cost of a busy second core. */
const DELAY_MS = 10

type Beside = { perSecond: number; alone: Round; beside: Round }

export async function measureDocuments(
  { servers, documents, small }: Pick<Stage, 'servers' | 'documents' | 'small'>,
  seconds: number,
): Promise<Beside> {
  const { url } = servers.service
  const pace = { url, seconds, connections: SMALL_CONNECTIONS }
  const load = { url, seconds, connections: AT_ONCE }
  await evenPace(small, SMALL_PER_SECOND, { ...pace, seconds: 0.5 })
  // The first document starts the rendering thread.
  const [first] = documents
  if (first) await (await fetch(url + first.path, { headers: first.headers })).arrayBuffer()
  const alone = await evenPace(small, SMALL_PER_SECOND, pace)
  const [rendered, beside] = await Promise.all([
    fullSpeed({ all: documents }, load),
    evenPace(small, SMALL_PER_SECOND, pace),
  ])
  return { perSecond: rendered.rate, alone, beside }
}

export function documentLines({ perSecond, alone, beside }: Beside): string {
  const times = (name: 'p50' | 'p99') =>
    `${name} ${alone[name].toFixed(1)} → ${beside[name].toFixed(1)} ms (×${(beside[name] / alone[name]).toFixed(1)})`
  return [
    `Documents: ${perSecond.toFixed(1)} PDFs/s, ${AT_ONCE} asked for at once.`,
    `A small request, ${SMALL_PER_SECOND}/s, without and beside them: ${times('p50')}, ${times('p99')}.`,
  ].join('\n')
}

export function documentVerdicts({ alone, beside }: Beside): Verdict[] {
  const delay = beside.p50 - alone.p50
  return [
    {
      what: `delay of a small request beside ${AT_ONCE} PDFs at once`,
      measured: `${delay.toFixed(1)} ms`,
      target: `≤ ${DELAY_MS} ms`,
      isMet: delay <= DELAY_MS,
    },
  ]
}
