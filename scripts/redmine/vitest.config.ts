// The port's contract against a real Redmine: see redmine.live.ts beside it.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['scripts/redmine/redmine.live.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
})
