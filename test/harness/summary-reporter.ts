// Prints the last line of a test run, which other programs read: `N passed, N failed`.
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
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  }
}
