// Cold and warm start: with a data directory that does not exist yet, and with the one of the start before.
import { join } from 'node:path'
import { npmStart } from './npm-start.ts'
import { median, upTo } from './report.ts'
import type { Report, Run } from './run.ts'

export async function measureStartUp({ quick, home }: Run): Promise<Report> {
  const figures = { coldMs: [] as number[], warmMs: [] as number[] }
  for (let time = 0; time < (quick ? 1 : 3); time++) {
    const dataDir = join(home, `start-${time}`)
    figures.coldMs.push(await startOnce(dataDir))
    figures.warmMs.push(await startOnce(dataDir))
  }
  const verdicts = [
    upTo('cold start, with demo', median(figures.coldMs), 1800, 'ms'),
    upTo('warm start', median(figures.warmMs), 500, 'ms'),
  ]
  return { verdicts, lines: [], figures }
}

async function startOnce(dataDir: string): Promise<number> {
  const { readyMs, stop } = await npmStart(dataDir)
  await stop()
  return readyMs
}
