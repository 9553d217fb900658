import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    setupFiles: [],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    // The second prints the closing line that continuous integration reads.
    reporters: ['default', './test/summary-reporter.ts'],
  },
})
