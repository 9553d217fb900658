// One run of the bench: what its parts share, made when the first of them needs it, and removed at the end.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbedded } from '../src/postgres/embedded.ts'
import { hasProc, parentOf } from './cpu.ts'
import { type Generator, startGenerator } from './load/load.ts'
import type { Verdict } from './report.ts'
import { type Stage, makeStages } from './stages.ts'

export type Options = {
  quick: boolean
  connections: number
  /** Only the parts with these names, and the scenarios whose name contains one of them. */
  only: string[] | undefined
  /** The directory of Node's CPU profiles of each server. */
  profile: string | undefined
}
/** `figures` are for `--json`. */
export type Report = { verdicts: Verdict[]; lines: string[]; figures: unknown }

export type Run = Options & {
  /** A directory that is removed at the end. */
  home: string
  generator: Generator
  postgres(): Promise<Postgres>
  stages(): Promise<Stage[]>
  /** Done at the end, the last first. */
  undo(step: () => Promise<unknown>): void
  say(line: string): void
}
/** The pid is of the whole server. */
export type Postgres = { url: string; pid: number }

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
/** For what statements cost in the server; off while rates are measured. */
const STATISTICS = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'none' }

export async function openRun(options: Options): Promise<Run & { close(): Promise<void> }> {
  const started = performance.now()
  const home = await mkdtemp(join(tmpdir(), 'titular-bench-'))
  const steps: (() => Promise<unknown>)[] = [() => rm(home, { recursive: true, force: true })]
  const generator = await startGenerator()
  const run: Run = {
    ...options,
    home,
    generator,
    postgres: once(() => startPostgres(run)),
    stages: once(() => makeStages(run)),
    undo: (step) => void steps.push(step),
    say: (line) => void process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0)} s: ${line}\n`),
  }
  run.undo(() => generator.stop())
  const close = async () => {
    for (const step of steps.splice(0).toReversed()) await step()
  }
  return { ...run, close }
}

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => (made ??= make())
}

async function startPostgres({ home, undo }: Run): Promise<Postgres> {
  const { url, stop } = await startEmbedded({ dataDir: join(home, 'postgres'), log: quiet, settings: STATISTICS })
  undo(stop)
  return { url, pid: hasProc ? await pidOf(url) : 0 }
}

async function pidOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return parentOf(rows[0]?.pid ?? 0)
  } finally {
    await client.end()
  }
}
