// Mutation tests of the code of money, access and settling, run by hand and not in continuous integration:
//   MUTATE=money npx stryker run scripts/mutation/stryker.config.mjs
// Each group runs only the tests that are meant to find its mutations, since all tests would take a night.
const GROUPS = {
  money: {
    files: ['src/kernel/values/money.ts', 'src/modules/sales/orders/amounts.ts'],
    tests: ['src/kernel/values/money.test.ts', 'src/modules/sales/orders/amounts.test.ts'],
  },
  moves: { files: ['src/kernel/data/moves.ts'], tests: ['src/kernel/data/moves.test.ts'] },
  access: {
    files: ['src/kernel/values/permissions.ts', 'src/kernel/access/credentials.ts'],
    tests: ['src/kernel/values/permissions.test.ts', 'src/kernel/access/credentials.test.ts'],
  },
  settling: {
    files: [
      'src/modules/sales/refunds/apply-refund-state.ts',
      'src/modules/sales/refunds/reserved-amounts.ts',
      'src/modules/sales/payments/settle-invoice.ts',
      'src/modules/sales/payments/apply-payment-state.ts',
    ],
    tests: [
      'src/modules/sales/refunds/apply-refund-state.test.ts',
      'src/modules/sales/payments/apply-payment-state.test.ts',
    ],
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
  // The text of messages is not behaviour.
  mutator: { excludedMutations: ['StringLiteral'] },
  timeoutMS: 60_000,
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false },
  tempDirName: '.stryker-tmp',
}
