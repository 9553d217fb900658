// Renders documents at full speed, and compares the latency of small requests at the same time with that without documents.
import { type Generator, startGenerator } from './load/load.ts'
import type { Round } from './load/loader.ts'
import { upTo } from './report.ts'
import type { Report, Run } from './run.ts'
import type { Stage } from './stages.ts'

/** Documents at once, as the requirements say. */
const AT_ONCE = 50
const SMALL_PER_SECOND = 50
const SMALL_CONNECTIONS = 4
/** The median of the small requests may be so many milliseconds higher: the cost of a busy second core. */
const DELAY_MS = 10

type Figures = { perSecond: number; alone: Round; beside: Round }

export async function measureDocuments(run: Run): Promise<Report> {
  const stage = (await run.stages()).at(-1)
  if (!stage) throw new Error('no data')
  const figures = await figuresOf(stage, run.generator, run.quick ? 3 : 8)
  const delay = figures.beside.p50 - figures.alone.p50
  const verdict = upTo(`delay of a small request beside ${AT_ONCE} PDFs at once`, delay, DELAY_MS, 'ms')
  return { verdicts: [verdict], lines: linesOf(figures), figures }
}

async function figuresOf(stage: Stage, generator: Generator, seconds: number): Promise<Figures> {
  const { url } = stage.servers.service
  const small = { all: stage.small }
  const pace = { url, seconds, connections: SMALL_CONNECTIONS }
  const load = { url, seconds, connections: AT_ONCE, isSlow: true as const }
  await generator.evenPace(small, SMALL_PER_SECOND, { ...pace, seconds: 0.5 })
  // The first document starts the rendering thread.
  const [first] = stage.documents
  if (first) await (await fetch(url + first.path, { headers: first.headers })).arrayBuffer()
  const alone = await generator.evenPace(small, SMALL_PER_SECOND, pace)
  const other = await startGenerator()
  try {
    const [rendered, beside] = await Promise.all([
      other.fullSpeed({ all: stage.documents }, load),
      generator.evenPace(small, SMALL_PER_SECOND, pace),
    ])
    return { perSecond: rendered.rate, alone, beside }
  } finally {
    await other.stop()
  }
}

function linesOf({ perSecond, alone, beside }: Figures): string[] {
  const times = (name: 'p50' | 'p99') =>
    `${name} ${alone[name].toFixed(1)} → ${beside[name].toFixed(1)} ms (×${(beside[name] / alone[name]).toFixed(1)})`
  return [
    `Documents: ${perSecond.toFixed(1)} PDFs/s, ${AT_ONCE} asked for at once.`,
    `A small request, ${SMALL_PER_SECOND}/s, without and beside them: ${times('p50')}, ${times('p99')}.`,
  ]
}
