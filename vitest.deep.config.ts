// The suite that is run before a change is called done, and by whoever touches what it guards (CONTRIBUTING.md).
import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import every from './vitest.config.ts'

const seeded = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter((file) =>
  readFileSync(file, 'utf8').includes('#test/harness/seeds.ts'),
)

export default defineConfig({
  test: { ...every.test, include: ['test/deep/**/*.test.ts', ...seeded], exclude: [], provide: { isDeep: true } },
})
