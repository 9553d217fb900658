// Cold and warm start: with a data directory that does not exist yet, and with the one of the start before.
import { join } from 'node:path'
import { builtEntry } from '../src/commands/built.ts'
import { npmStart, ROOT } from './npm-start.ts'
import { median, upTo } from './report.ts'
import type { Report, Run } from './run.ts'

export async function measureStartUp(run: Run): Promise<Report> {
  const figures = { coldMs: [] as number[], warmMs: [] as number[] }
  for (let time = 0; time < (run.quick ? 1 : 3); time++) {
    const dataDir = join(run.home, `start-${time}`)
    figures.coldMs.push(await startOnce(run, dataDir))
    figures.warmMs.push(await startOnce(run, dataDir))
  }
  const verdicts = [
    upTo('cold start, with demo', median(figures.coldMs), 1800, 'ms'),
    upTo('warm start', median(figures.warmMs), 500, 'ms'),
  ]
  const isBuilt = builtEntry(ROOT, join(ROOT, 'build')) !== null
  const lines = isBuilt
    ? []
    : ['There is no build of these sources: the starts read them one by one. `npm run build` makes it.']
  return { verdicts, lines, figures }
}

async function startOnce(run: Run, dataDir: string): Promise<number> {
  const { readyMs, stop } = await npmStart(run, dataDir)
  await stop()
  return readyMs
}
