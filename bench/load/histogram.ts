// Latencies in counters of ten microseconds, whose memory does not grow with the number of answers.
const STEPS_PER_MS = 100
const LONGEST_MS = 10_000

export type Percentiles = { p50: number; p99: number }
export type Histogram = { record(ms: number): void; count(): number; percentiles(): Percentiles }

/** What took longer than ten seconds counts as ten. */
export function createHistogram(): Histogram {
  const counts = new Uint32Array(LONGEST_MS * STEPS_PER_MS)
  let count = 0
  const at = (share: number): number => {
    let left = Math.ceil(count * share)
    const step = counts.findIndex((one) => (left -= one) <= 0)
    return (step + 1) / STEPS_PER_MS
  }
  return {
    record(ms) {
      const step = Math.min(counts.length - 1, Math.max(0, Math.floor(ms * STEPS_PER_MS)))
      counts[step] = (counts[step] ?? 0) + 1
      count++
    },
    count: () => count,
    percentiles: () => ({ p50: at(0.5), p99: at(0.99) }),
  }
}
