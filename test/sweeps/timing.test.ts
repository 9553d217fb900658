// No test depends on time, so that a busy machine makes a test slow but never fail. Tests wait with `until`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
// `expect.poll` gives up after a second.
const CLOCKS =
  /performance\.now|hrtime|puUsage\(|expect\.poll|Date\.now\(\) *[-<>]|\b(setTimeout|setInterval|sleep|pause)\(/
/** A time limit as the last argument of a test or a hook: `}, 30_000)`. */
const LIMITS = /^\s*(\}, )?\d+_?000(,|\))$|\b(testTimeout|hookTimeout)\b|\btimeout: \d/

/** Lines that may, and the reason: they choose a random moment, or imitate a slow system. */
const ALLOWED: Record<string, [lines: number, why: string]> = {
  'test/harness/until.ts': [3, 'the one wait'],
  'test/deep/crash.test.ts': [2, 'the moment of the crash is chance; clients that pause after a 503'],
  'test/deep/crash-provisioning.test.ts': [1, 'the moment of the crash is chance'],
  'test/deep/crash-import.test.ts': [1, 'the moment of the crash is chance'],
  'test/deep/crash-test-clock.test.ts': [1, 'the moment of the crash is chance'],
  'test/stand-ins/provisioning-system.ts': [2, 'an answer on its way, and one that is cut'],
  'test/stand-ins/s3.ts': [1, 'links that have run out'],
  'src/modules/identity/auth/races.test.ts': [1, 'the moments of a race are chance'],
  'src/kernel/database/reads-at-once.test.ts': [2, 'the moments of a race are chance'],
  'src/kernel/jobs/jobs.test.ts': [1, 'jobs that overlap'],
  'src/postgres/embedded.test.ts': [2, 'clients that pause after a lost connection; a process that stays'],
  'src/adapters/brasilapi/brasilapi.test.ts': [1, 'answers that overlap'],
  'src/modules/documents/documents/uploads.test.ts': [1, 'a client that sends slowly'],
  'src/ports/outgoing.test.ts': [1, 'a connection that is never made'],
  'src/ports/payment-subscriptions.contract.ts': [1, 'the day by the clock of a provider, to the minute'],
  'src/modules/sales/subscriptions/trial-at-provider.test.ts': [1, 'the same'],
  'src/modules/identity/auth/passwords/passwords.test.ts': [2, 'CPU time, as a ratio of two of one run'],
  'src/adapters/pdf/layout.test.ts': [2, 'CPU time of the thread, fifteen times what is used'],
  'src/http/server/unreadable.test.ts': [1, 'slow headers have no less than their time'],
  'test/deep/replica.test.ts': [7, 'replay that is stopped, not a wait'],
  'test/deep/stopping.test.ts': [1, 'the port stays open for no less than the delay'],
  'test/stand-ins/stripe-troubles.ts': [1, 'an answer that drips'],
  'src/adapters/site-proofs/site-proofs.test.ts': [1, 'an answer that drips'],
}

it('no test measures the time, waits for it, or has a limit of its own', () => {
  const own = ['test/**/*.ts', 'src/**/*.test.ts', 'src/**/*.contract.ts', 'packages/*/test/**/*.ts']
  const files = globSync(own, { cwd: root }).filter((file) => file !== 'test/sweeps/timing.test.ts')
  expect(files.length).toBeGreaterThan(100)
  const timed = files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    const found = lines.filter((line) => CLOCKS.test(line) || LIMITS.test(line))
    const [allowed] = ALLOWED[file] ?? [0]
    return found.length === allowed ? [] : [`${file}: ${found.length} instead of ${allowed}\n${found.join('\n')}`]
  })
  expect(timed, timed.join('\n')).toEqual([])
})
