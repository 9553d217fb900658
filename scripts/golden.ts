// Rewrites the generated files that are committed: openapi.json, schema.sql, test/sweeps/access-matrix.txt,
// migrations/SHA256SUMS and docs/settings.md. Tests compare them by the same functions (test/harness/golden.ts).
// The client is generated from openapi.json after it; that is not committed.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { THROWAWAY, startEmbedded } from '../src/postgres/embedded.ts'
import { migrate } from '../src/postgres/migrate.ts'
import { ROOT, goldenFiles } from '#test/harness/golden.ts'
import { generate } from '../packages/sdk/scripts/generate.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'titular-golden-'))
const log = { info: () => {}, warn: () => {}, error: () => {} }
const server = await startEmbedded({ dataDir, log, settings: THROWAWAY })
try {
  await migrate({ ownerUrl: server.url, directory: join(ROOT, 'migrations'), log })
  for (const [path, text] of Object.entries(await goldenFiles(server.url))) {
    await writeFile(join(ROOT, path), text)
    process.stdout.write(`wrote ${path}\n`)
  }
} finally {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
await generate({ ifStale: true })
