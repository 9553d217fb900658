// The tests of one group, for a mutation run: see stryker.config.mjs beside it.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: (process.env['MUTATE_TESTS'] ?? '').split(','),
    globalSetup: ['test/harness/postgres.ts'],
    // A mutant that does not end counts as found.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    isolate: false,
  },
})
