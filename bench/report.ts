// The figures as text, and the targets that they meet.
import { type Comparison, MUCH, type Run } from './compare.ts'
import type { Kind } from './settings.ts'

export type Verdict = { what: string; measured: string; target: string; isMet: boolean }

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export const medianOf = (rounds: readonly Run[], figure: (round: Run) => number): number => median(rounds.map(figure))

const rateOf = ({ rate }: Run): number => rate

export const roundsOf = ({ runs }: Comparison, of: Kind): Run[] => runs.find(({ kind }) => kind === of)?.rounds ?? []

/** The service's rate in each round, as a share of the other server's in the round beside it. */
export const ratiosTo = (comparison: Comparison, kind: Kind): number[] => {
  const others = roundsOf(comparison, kind)
  return roundsOf(comparison, 'service').map(({ rate }, index) => rate / (others[index]?.rate ?? Number.NaN))
}

/** The spread of a server's own rounds: variation that comes from the machine. */
const noiseOf = (rounds: readonly Run[]): number =>
  (Math.max(...rounds.map(rateOf)) - Math.min(...rounds.map(rateOf))) / medianOf(rounds, rateOf)

const HEAD = ['', 'organizations', 'server', 'rate/s', 'noise', 'service ÷ it', 'min – max', 'p50 ms', 'p99 ms']
const CPU_HEAD = ['µs server', 'µs PostgreSQL', 'by CPU', 'others']

export const comparisonTable = (comparisons: readonly Comparison[]): string =>
  align([[...HEAD, ...CPU_HEAD], ...comparisons.flatMap((one) => one.runs.map(({ kind }) => lineOf(one, kind)))])

function lineOf(comparison: Comparison, kind: Kind): string[] {
  const { scenario, label } = comparison
  const rounds = roundsOf(comparison, kind)
  const ratios = kind === 'service' ? [] : ratiosTo(comparison, kind)
  return [
    scenario.name,
    label,
    kind,
    whole(medianOf(rounds, rateOf)),
    percent(noiseOf(rounds)),
    ratios.length > 0 ? median(ratios).toFixed(2) : '',
    ratios.length > 0 ? `${Math.min(...ratios).toFixed(2)} – ${Math.max(...ratios).toFixed(2)}` : '',
    medianOf(rounds, ({ p50 }) => p50).toFixed(1),
    medianOf(rounds, ({ p99 }) => p99).toFixed(1),
    ...cpuOf(rounds, kind === 'service' ? [] : roundsOf(comparison, 'service')),
  ]
}

/** `by CPU` is the ratio that the CPU time alone would give; it suffers less from other work. `~`: rounds beside too much of it. */
function cpuOf(rounds: readonly Run[], service: readonly Run[]): string[] {
  const cpu = rounds.flatMap((round) => round.cpu ?? [])
  if (cpu.length === 0) return ['–', '–', '–', '–']
  const others = cpu.map(({ othersShare }) => othersShare)
  return [
    whole(median(cpu.map(({ serverMicros }) => serverMicros))),
    whole(median(cpu.map(({ postgresMicros }) => postgresMicros))),
    service.length > 0 ? (bothMicros(rounds) / bothMicros(service)).toFixed(2) : '',
    `${percent(Math.max(0, median(others)))}${others.some((share) => share > MUCH) ? ' ~' : ''}`,
  ]
}

const bothMicros = (rounds: readonly Run[]): number =>
  medianOf(rounds, ({ cpu }) => (cpu?.serverMicros ?? 0) + (cpu?.postgresMicros ?? 0))

const whatOf = ({ scenario, label }: Comparison): string => `${scenario.name}, ${label} organizations`

export const ratioVerdicts = (comparisons: readonly Comparison[]): Verdict[] =>
  comparisons.flatMap((one) => {
    const { ofLimit: target } = one.scenario
    if (target === undefined) return []
    const ratio = median(ratiosTo(one, 'limit'))
    const isMet = ratio >= target
    return [{ what: whatOf(one), measured: ratio.toFixed(2), target: `≥ ${target.toFixed(2)} of limit`, isMet }]
  })

const GROWTH = 0.1

/** The service at the largest size against the smallest; their rounds alternated. */
export function growthVerdicts(comparisons: readonly Comparison[]): Verdict[] {
  const byName = Map.groupBy(
    comparisons.filter(({ scenario }) => scenario.ofLimit !== undefined),
    ({ scenario }) => scenario.name,
  )
  return [...byName].flatMap(([name, found]) => {
    const [small, large] = [found[0], found.at(-1)]
    if (!small || !large || small === large) return []
    const smallRounds = roundsOf(small, 'service')
    const changes = roundsOf(large, 'service').map(({ rate }, index) => rate / (smallRounds[index]?.rate ?? Number.NaN))
    const change = median(changes) - 1
    const measured = `${change >= 0 ? '+' : ''}${percent(change)}`
    const what = `${name}, ${small.label} → ${large.label} organizations`
    return [{ what, measured, target: 'within 10 %', isMet: change >= -GROWTH }]
  })
}

export const upTo = (what: string, value: number, limit: number, unit: string): Verdict => ({
  what,
  measured: `${value < 100 && !Number.isInteger(value) ? value.toFixed(1) : whole(value)} ${unit}`,
  target: `≤ ${limit} ${unit}`,
  isMet: value <= limit,
})

export const verdictTable = (verdicts: readonly Verdict[]): string =>
  align(verdicts.map(({ what, measured, target, isMet }) => [isMet ? 'met' : 'MISSED', what, measured, target]))

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
