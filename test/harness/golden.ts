// The committed files that are generated, and their present content.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { routes } from '../../src/modules.ts'
import { compose } from '../../src/commands/compose.ts'
import { loadSecrets } from '../../src/commands/secrets.ts'
import { readConfig } from '#config/config.ts'
import { dumpSchema } from '../../src/postgres/schema-dump.ts'
import { settingsPage } from './settings-page.ts'
import { accessMatrix } from '#test/sweeps/access-matrix.ts'
import { sharedLogin } from '../../src/postgres/roles.ts'

export const ROOT = join(import.meta.dirname, '../..')

/** The contents by path, for a migrated database. */
export async function goldenFiles(databaseUrl: string): Promise<Record<string, string>> {
  return {
    'openapi.json': await openapi(databaseUrl),
    'schema.sql': await dumpSchema(databaseUrl),
    'test/sweeps/access-matrix.txt': accessMatrix(routes),
    'migrations/SHA256SUMS': await migrationSums(),
    'docs/settings.md': settingsPage(),
  }
}

/** The checksums of the migrations, so that editing a released one is noticed. `sha256sum -c` reads the file. */
async function migrationSums(): Promise<string> {
  const directory = join(ROOT, 'migrations')
  const files = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  const lines = files.map(async (name) => {
    const bytes = await readFile(join(directory, name))
    return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
  })
  return (await Promise.all(lines)).join('')
}

async function openapi(databaseUrl: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'titular-openapi-'))
  try {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 3072,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const config = readConfig({
      SANDBOX: '1',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      JWT_PRIVATE_KEY: privateKey,
      SECRET_KEY: 'nothing is signed with this key, it only has to be long',
    })
    const service = await compose({
      config,
      secrets: await loadSecrets(config),
      logins: () => sharedLogin(databaseUrl),
      hooks: {},
      log: pino({ level: 'silent' }),
    })
    try {
      const response = await service.app.inject({ url: '/openapi.json' })
      return `${JSON.stringify(JSON.parse(response.body), null, 2)}\n`
    } finally {
      await service.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
