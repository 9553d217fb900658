// Mutations of what money, access and settling hang on, by hand and not in continuous integration:
//   MUTATE=money npx stryker run scripts/mutation/stryker.config.mjs
// Each group runs the tests that are meant to find them and no others, or a run would take a night.
const GROUPS = {
  money: {
    files: ['src/kernel/money.ts', 'src/areas/orders/amounts.ts'],
    tests: ['src/kernel/money.test.ts', 'src/areas/orders/amounts.test.ts'],
  },
  moves: { files: ['src/kernel/moves.ts'], tests: ['src/kernel/moves.test.ts'] },
  access: {
    files: ['src/kernel/permissions.ts', 'src/kernel/credentials.ts'],
    tests: ['src/kernel/permissions.test.ts', 'src/kernel/credentials.test.ts'],
  },
  settling: {
    files: ['src/areas/refunds/settle.ts', 'src/areas/refunds/reserved.ts', 'src/areas/quotes/settle.ts'],
    tests: ['src/areas/refunds/settle.test.ts', 'src/areas/quotes/settle.test.ts'],
  },
}

const { files, tests } = GROUPS[process.env.MUTATE] ?? {}
if (!files) throw new Error(`MUTATE names a group: ${Object.keys(GROUPS).join(', ')}`)
process.env.MUTATE_TESTS = tests.join()

export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  mutate: files,
  // Words of messages are no behaviour.
  mutator: { excludedMutations: ['StringLiteral'] },
  timeoutMS: 60_000,
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false },
  tempDirName: '.stryker-tmp',
}
