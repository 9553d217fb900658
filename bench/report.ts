// The figures as text, and the targets that they meet.
import type { Comparison } from './compare.ts'
import type { Round } from './load.ts'
import type { StartUp } from './start-up.ts'

export type Verdict = { what: string; measured: string; target: string; isMet: boolean }

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

const rates = (rounds: readonly Round[]): number[] => rounds.map(({ rate }) => rate)

/** The ratio of each round of the service to the round of the bare server beside it. */
export const ratiosOf = ({ bare, service }: Comparison): number[] =>
  service.map(({ rate }, index) => rate / (bare[index]?.rate ?? Number.NaN))

/** The spread of the bare server's own rounds: variation that comes from the machine. */
export const noiseOf = ({ bare }: Comparison): number =>
  (Math.max(...rates(bare)) - Math.min(...rates(bare))) / median(rates(bare))

export function comparisonTable(comparisons: readonly Comparison[]): string {
  const head = [
    '',
    'organizations',
    'bare /s',
    'service /s',
    'ratio',
    'min – max',
    'p99 bare',
    'p99 service',
    'CPU bare',
    'CPU service',
    'noise',
  ]
  return align([
    head,
    ...comparisons.map((one) => {
      const ratios = ratiosOf(one)
      return [
        one.scenario.name,
        one.label,
        whole(median(rates(one.bare))),
        whole(median(rates(one.service))),
        median(ratios).toFixed(2),
        `${Math.min(...ratios).toFixed(2)} – ${Math.max(...ratios).toFixed(2)}`,
        `${median(one.bare.map(({ p99 }) => p99)).toFixed(1)} ms`,
        `${median(one.service.map(({ p99 }) => p99)).toFixed(1)} ms`,
        `${whole(median(one.bare.map(({ cpuMicros }) => cpuMicros)))} µs`,
        `${whole(median(one.service.map(({ cpuMicros }) => cpuMicros)))} µs`,
        percent(noiseOf(one)),
      ]
    }),
  ])
}

export const ratioVerdicts = (comparisons: readonly Comparison[]): Verdict[] =>
  comparisons.flatMap((one) => {
    const { ratio: target } = one.scenario.target
    if (target === undefined) return []
    const ratio = median(ratiosOf(one))
    const isMet = ratio >= target
    return [{ what: whatOf(one), measured: ratio.toFixed(2), target: `≥ ${target.toFixed(2)} of bare`, isMet }]
  })

/** The service's own rates, for an idle machine with two cores. */
export const rateVerdicts = (comparisons: readonly Comparison[]): Verdict[] =>
  comparisons.flatMap((one) => {
    const { rate: target } = one.scenario.target
    if (target === undefined) return []
    const rate = median(rates(one.service))
    return [{ what: whatOf(one), measured: `${whole(rate)}/s`, target: `≥ ${whole(target)}/s`, isMet: rate >= target }]
  })

const whatOf = ({ scenario, label }: Comparison): string => `${scenario.name}, ${label} organizations`

const GROWTH = 0.1

/** The service at the largest size against the smallest; their rounds alternated. */
export function growthVerdicts(comparisons: readonly Comparison[]): Verdict[] {
  const byName = Map.groupBy(
    comparisons.filter(({ scenario }) => scenario.target.ratio !== undefined),
    ({ scenario }) => scenario.name,
  )
  return [...byName].flatMap(([name, found]) => {
    const [small, large] = [found[0], found.at(-1)]
    if (!small || !large || small === large) return []
    const change = median(large.service.map(({ rate }, index) => rate / (small.service[index]?.rate ?? Number.NaN))) - 1
    const measured = `${change >= 0 ? '+' : ''}${percent(change)}`
    return [
      {
        what: `${name}, ${small.label} → ${large.label} organizations`,
        measured,
        target: 'within 10 %',
        isMet: change >= -GROWTH,
      },
    ]
  })
}

export const startVerdicts = ({ coldMs, warmMs }: StartUp): Verdict[] => [
  upTo('cold start', median(coldMs), 2000, 'ms'),
  upTo('warm start', median(warmMs), 600, 'ms'),
]

export const upTo = (what: string, value: number, limit: number, unit: string): Verdict => ({
  what,
  measured: `${value < 100 ? value.toFixed(1) : whole(value)} ${unit}`,
  target: `≤ ${limit} ${unit}`,
  isMet: value <= limit,
})

export const verdictTable = (verdicts: readonly Verdict[]): string =>
  align(verdicts.map(({ what, measured, target, isMet }) => [isMet ? 'met' : 'MISSED', what, measured, target]))

export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

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
