// `npm run bench`: the service beside a bare server with the same statements, and beside a limit that shares nothing with it, on
// the same data in one run (docs/performance.md). Loopback only, with time limits; processes and data are removed at the end.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { measureAccessCheck } from './access-check.ts'
import { measureAcross } from './across.ts'
import { measureChangeCosts } from './change-costs.ts'
import { measureCluster } from './cluster.ts'
import { measureComparisons } from './comparisons.ts'
import { measureConsole } from './console.ts'
import { measureDocuments } from './documents.ts'
import { measureFairness } from './fairness.ts'
import { measureImports } from './imports.ts'
import { measureInstall } from './install.ts'
import { measureMemory } from './memory.ts'
import { verdictTable } from './report.ts'
import { type Report, type Run, openRun } from './run.ts'
import { measureScale } from './scale.ts'
import { measureSpread } from './spread.ts'
import { measureStartUp } from './start-up.ts'
import { measureWebhooks } from './webhooks.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    connections: { type: 'string', default: '16' },
    only: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
})

type Part = { name: string; measure: (run: Run) => Promise<Report>; isSeparate?: true }
/** The scenarios have names of their own. The separate parts run only when they are asked for. */
const SCENARIOS = 'scenarios'
const PARTS: Part[] = [
  { name: 'start', measure: measureStartUp },
  { name: SCENARIOS, measure: measureComparisons },
  { name: 'access', measure: measureAccessCheck },
  { name: 'changes', measure: measureChangeCosts },
  // The rendering thread that it starts has memory and CPU time of its own.
  { name: 'documents', measure: measureDocuments },
  { name: 'webhooks', measure: measureWebhooks },
  { name: 'fairness', measure: measureFairness },
  { name: 'scale', measure: measureScale, isSeparate: true },
  { name: 'across', measure: measureAcross, isSeparate: true },
  { name: 'cluster', measure: measureCluster, isSeparate: true },
  { name: 'spread', measure: measureSpread, isSeparate: true },
  { name: 'memory', measure: measureMemory, isSeparate: true },
  { name: 'imports', measure: measureImports, isSeparate: true },
  { name: 'console', measure: measureConsole, isSeparate: true },
  { name: 'install', measure: measureInstall, isSeparate: true },
]

const only = options.only?.split(',')
function isAsked({ name, isSeparate }: Part): boolean {
  if (!only) return !isSeparate
  return name === SCENARIOS ? only.some((word) => !PARTS.some((one) => one.name === word)) : only.includes(name)
}

const { quick, profile } = options
const run = await openRun({ quick, profile, only, connections: Number(options.connections) })
// Ctrl-C cleans up as the end of the run does.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void run.close().finally(() => process.exit(1))
  })
try {
  process.exitCode = (await measureAll()) ? 0 : 1
} finally {
  await run.close()
}

async function measureAll(): Promise<boolean> {
  const before = loadavg()
  run.say(`load average ${before.map((load) => load.toFixed(1)).join(' ')} before; load by ${run.generator.tool}`)
  const reports: Record<string, Report> = {}
  for (const part of PARTS.filter(isAsked)) {
    run.say(part.name)
    reports[part.name] = await part.measure(run)
  }
  const all = Object.values(reports)
  const verdicts = all.flatMap((report) => report.verdicts)
  for (const { lines } of all) if (lines.length > 0) process.stdout.write(`\n${lines.join('\n')}\n`)
  process.stdout.write(`\n${verdictTable(verdicts)}\n\n`)
  run.say(`load average ${loadavg()[0]?.toFixed(1)} after`)
  if (options.json !== undefined) {
    const figures = Object.entries(reports).map(([name, report]) => [name, report.figures])
    const result = { options, before, after: loadavg(), verdicts, figures: Object.fromEntries(figures) }
    await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`)
  }
  return verdicts.every(({ isMet }) => isMet)
}
