import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Packages that use the client are tested with its sources, as they are built with them.
  resolve: { alias: { '@titular/sdk': join(import.meta.dirname, 'packages/sdk/src/index.ts') } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    exclude: ['test/deep/**', '**/node_modules/**'],
    globalSetup: ['test/harness/postgres.ts', 'test/harness/sdk.ts', 'test/harness/console.ts'],
    provide: { isDeep: false },
    // Against hanging only: no test may depend on how busy the machine is.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    maxWorkers: 3,
    // Nothing of ours keeps state in a module, and each file has its database: loading everything once for each of 140
    // files took a third of the time (226 s against 147 s on two cores).
    isolate: false,
    // The second prints the closing line that continuous integration reads.
    reporters: ['default', './test/harness/summary-reporter.ts'],
  },
})
