// Prints the slowest files of a test run, and its last line, which other programs read: `N passed, N failed`.
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    let passed = 0
    // Errors outside of tests fail the run too: a hook that threw, an unhandled rejection.
    let failed = errors.length
    for (const module of modules) {
      let failedInside = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failedInside += 1
      }
      // A file that could not be loaded, or whose hook failed, has no failed test.
      failed += failedInside === 0 && module.state() === 'failed' ? 1 : failedInside
    }
    if (modules.length > SLOWEST) process.stdout.write(`\nThe slowest files:\n${slowestOf(modules).join('\n')}\n`)
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}

const SLOWEST = 20

/** With the seconds of each, and those of its scene. */
function slowestOf(modules: readonly TestModule[]): string[] {
  const timed = modules.map((module) => {
    const { duration, collectDuration } = module.diagnostic()
    return { path: module.relativeModuleId, seconds: (duration + collectDuration) / 1000 }
  })
  const slowest = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST)
  return slowest.map(({ path, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${path}`)
}
