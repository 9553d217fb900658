// The service's keys: from the configuration, or in the sandbox generated once under DATA_DIR.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Company } from '#kernel/values/schema.ts'
import { type Ed25519Keys, loadEd25519Keys, newEd25519Key } from '#kernel/keys/ed25519-keys.ts'
import { derive, randomToken } from '#kernel/keys/secrets.ts'
import { readOrCreateKeyFile } from './signing-key-file.ts'
import { type PublicKey, loadSigningKeys, splitPems } from '#kernel/keys/signing-keys.ts'
import type { Config } from '#config/config.ts'
import type { VariableName } from '#config/variables.ts'
import { StartupError } from '../postgres/startup-error.ts'

export type Secrets = {
  secretKey: string
  pems: string[]
  jwks: { readonly keys: readonly PublicKey[] }
  licenseKeys: Ed25519Keys
  sandboxPayments: Record<Company, { secretKey: string; webhookSecret: string }>
  sandboxTracker: { token: string; webhookSecret: string }
  sandboxCrms: Record<Company, { token: string; webhookSecret: string }>
  sandboxShops: Record<Company, { consumerKey: string; consumerSecret: string; webhookSecret: string }>
}

/** Checks the configured keys before the start changes anything. Messages never contain key material. */
export async function assertGivenKeys({ jwtPrivateKey, licenseSigningKey }: Config): Promise<void> {
  const lines = await Promise.all([
    jwtPrivateKey && problemOf('JWT_PRIVATE_KEY', () => loadSigningKeys({ pems: splitPems(jwtPrivateKey) })),
    licenseSigningKey && problemOf('LICENSE_SIGNING_KEY', () => loadEd25519Keys(splitPems(licenseSigningKey))),
  ])
  if (lines.some(Boolean)) throw new StartupError(lines.filter(Boolean).join('\n'))
}

const problemOf = (setting: VariableName, load: () => Promise<unknown>): Promise<string | null> =>
  load().then(
    () => null,
    (error: Error) => `${setting}: ${error.message}; docs/operations.md has the command that makes one`,
  )

export async function loadSecrets(config: Config): Promise<Secrets> {
  const secretKey = config.secretKey ?? (await secretFile(join(config.dataDir, 'secret.key')))
  const pems = config.jwtPrivateKey ? splitPems(config.jwtPrivateKey) : await signingFile(config)
  const { jwks } = await loadSigningKeys({ pems })
  const licensePems = config.licenseSigningKey
    ? splitPems(config.licenseSigningKey)
    : await readOrCreateKeyFile(join(config.dataDir, 'license-signing-keys.pem'), newEd25519Key)
  // Derived, so that the sandbox's provider and the adapter that calls it have the same keys.
  const account = (company: Company) => ({
    secretKey: `sk_test_${derive(secretKey, 'sandbox payments key', company).toString('hex')}`,
    webhookSecret: `whsec_${derive(secretKey, 'sandbox payments webhook', company).toString('base64url')}`,
  })
  const crm = (company: Company) => ({
    token: `pat-sandbox-${derive(secretKey, 'sandbox crm token', company).toString('hex')}`,
    webhookSecret: derive(secretKey, 'sandbox crm webhook', company).toString('base64url'),
  })
  const shop = (company: Company) => ({
    consumerKey: `ck_${derive(secretKey, 'sandbox shop key', company).toString('hex')}`,
    consumerSecret: `cs_${derive(secretKey, 'sandbox shop secret', company).toString('hex')}`,
    webhookSecret: derive(secretKey, 'sandbox shop webhook', company).toString('base64url'),
  })
  return {
    secretKey,
    pems,
    jwks,
    licenseKeys: await loadEd25519Keys(licensePems),
    sandboxPayments: { entity_br: account('entity_br'), entity_global: account('entity_global') },
    sandboxCrms: { entity_br: crm('entity_br'), entity_global: crm('entity_global') },
    sandboxShops: { entity_br: shop('entity_br'), entity_global: shop('entity_global') },
    sandboxTracker: {
      token: `github_pat_${derive(secretKey, 'sandbox tracker token').toString('hex')}`,
      webhookSecret: derive(secretKey, 'sandbox tracker webhook').toString('base64url'),
    },
  }
}

export const signingKeyPath = (config: Config): string => join(config.dataDir, 'signing-keys.pem')

async function signingFile(config: Config): Promise<string[]> {
  await mkdir(config.dataDir, { recursive: true })
  return readOrCreateKeyFile(signingKeyPath(config))
}

/** Of two processes that start at once, one writes the file and both read it. */
async function secretFile(path: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, `${randomToken(48)}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const key = (await readFile(path, 'utf8')).trim()
  if (key.length < 32)
    throw new StartupError(`${path} is damaged: remove it to make a new key (everybody signs in again)`)
  return key
}
