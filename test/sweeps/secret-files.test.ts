// Every secret read from a file instead, as containers mount them: `NAME_FILE`.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, readConfig, readDatabaseConfig } from '#config/config.ts'
import type { Environment } from '#config/read-values.ts'
import { VARIABLES } from '#config/variables.ts'
import { VENDOR_IDENTITY } from '#test/scenes/vendor-identity.ts'

const SECRETS = VARIABLES.filter(({ secret }) => secret).map(({ name }) => name)
const PEM = '-----BEGIN PRIVATE KEY-----\nMC4CAQ\n-----END PRIVATE KEY-----\n'
const WEBHOOK = `whsec_${'q8Zr0vV1'.repeat(4)}`

/** Those that have a form. */
const FORMS: Record<string, string> = {
  DATABASE_URL: 'postgres://app:hush@db.example/titular',
  DATABASE_SYSTEM_URL: 'postgres://system:hush@db.example/titular',
  DATABASE_OWNER_URL: 'postgres://owner:hush@db.example/titular',
  IMAP_URL: 'imaps://desk:hush@imap.vendor.example',
  DATABASE_REPLICA_URL: 'postgres://owner:hush@db.example/titular',
  JWT_PRIVATE_KEY: PEM + PEM.trimEnd(),
  LICENSE_SIGNING_KEY: PEM.trimEnd(),
  STRIPE_BR_SECRET_KEY: 'sk_live_q8Zr0vV1',
  STRIPE_BR_WEBHOOK_SECRETS: `${WEBHOOK},${WEBHOOK}`,
  STRIPE_GLOBAL_SECRET_KEY: 'rk_live_q8Zr0vV1',
  STRIPE_GLOBAL_WEBHOOK_SECRETS: WEBHOOK,
  HUBSPOT_BR_TOKEN: 'pat-na1-q8Zr0vV1',
  HUBSPOT_BR_WEBHOOK_SECRETS: 'q8Zr0vV1,p4yXw2m6',
  HUBSPOT_GLOBAL_TOKEN: 'pat-na1-q8Zr0vV1',
  HUBSPOT_GLOBAL_WEBHOOK_SECRETS: 'q8Zr0vV1',
  PROVISIONING_SECRET: WEBHOOK,
  PROVISIONING_WEBHOOK_SECRETS: WEBHOOK,
  ISSUE_TRACKER_TOKEN: 'github_pat_q8Zr0vV1',
}
/** A space at the end is part of a secret. */
const ANY = 'q8Zr0vV1p4yXw2m6B9dT5sN7kL3hJ0cF '
const VALUES = Object.fromEntries(SECRETS.map((name) => [name, FORMS[name] ?? ANY]))

/** In which every secret is used. */
const OPEN = {
  PUBLIC_URL: 'https://portal.example.com',
  ADMIN_EMAIL: 'root@titular.example',
  ENTITY_BR_PAYMENTS: 'stripe',
  ENTITY_BR_TAX_AUTHORITY: 'nfse',
  ...VENDOR_IDENTITY,
  ENTITY_GLOBAL_PAYMENTS: 'stripe',
  NFSE_BR_CERTIFICATE: 'acme.p12',
  NFSE_BR_PROFILES: 'profiles.json',
  ENTITY_BR_CRM: 'hubspot',
  ENTITY_GLOBAL_CRM: 'hubspot',
  PROVISIONING_URL: 'https://ops.example',
  ISSUE_TRACKER: 'github',
  ISSUE_TRACKER_PROJECT: 'titular/support',
  FILES: 's3',
  FILES_S3_ENDPOINT: 'https://s3.example',
  FILES_S3_BUCKET: 'titular',
  FILES_S3_ACCESS_KEY: 'AKIATEST',
}

let folder: string
const at = (name: string) => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'titular-secrets-'))
  await Promise.all(Object.entries(VALUES).map(([name, text]) => writeFile(at(name), `${text}\n`)))
  await Promise.all([writeFile(at('empty'), '\n'), writeFile(at('short'), 'hush'), writeFile(at('crlf'), 'senha\r\n')])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const refusalOf = (environment: Environment): string => {
  try {
    readConfig(environment)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('NAME_FILE', () => {
  it('gives every secret the content of a file, without the line break at its end', () => {
    expect(SECRETS.length).toBeGreaterThan(15)
    const files = Object.fromEntries(SECRETS.map((name) => [`${name}_FILE`, at(name)]))
    const config: Config = readConfig({ ...OPEN, ...files })
    expect(config).toEqual(readConfig({ ...OPEN, ...VALUES }))
    expect(config).toMatchObject({
      secretKey: ANY,
      jwtPrivateKey: PEM + PEM.trimEnd(),
      admin: { password: ANY },
    })
    expect(
      readConfig({
        ...OPEN,
        ...VALUES,
        NFSE_BR_CERTIFICATE_PASSWORD: '',
        NFSE_BR_CERTIFICATE_PASSWORD_FILE: at('crlf'),
      }).tax,
    ).toMatchObject({ certificatePassword: 'senha' })
  })
  it('is refused beside the variable itself, each pair in a line that names both', () => {
    const both = { ...VALUES, ...Object.fromEntries(SECRETS.map((name) => [`${name}_FILE`, at(name)])) }
    const lines = refusalOf({ ...OPEN, ...both }).split('\n')
    expect(lines).toEqual(SECRETS.map((name) => `${name} and ${name}_FILE are both set; keep one of them`))
    expect(refusalOf({ SECRET_KEY: '', SECRET_KEY_FILE: at('SECRET_KEY') })).toBe('')
    expect(refusalOf({ SECRET_KEY: VALUES['SECRET_KEY'], SECRET_KEY_FILE: '' })).toBe('')
  })
  it('is refused when the file cannot be read or is empty', () => {
    expect(refusalOf({ SECRET_KEY_FILE: at('nothing'), SMTP_URL_FILE: folder, METRICS_TOKEN_FILE: at('empty') })).toBe(
      [
        'METRICS_TOKEN_FILE names an empty file',
        'SECRET_KEY_FILE names a file that cannot be read (ENOENT)',
        'SMTP_URL_FILE names a file that cannot be read (EISDIR)',
      ].join('\n'),
    )
  })
  it('is read by commands that only maintain the database for the database alone', () => {
    const others = { SECRET_KEY_FILE: at('nothing'), STRIPE_BR_SECRET_KEY_FILE: at('short') }
    const config = readDatabaseConfig({ ...others, DATABASE_URL_FILE: at('DATABASE_URL') })
    expect(config.database.url).toBe(VALUES['DATABASE_URL'])
    expect(() => readDatabaseConfig({ DATABASE_URL_FILE: at('nothing') })).toThrow('DATABASE_URL_FILE')
  })
  it('stands in the refusal of what the file holds, which is not shown', () => {
    const refusal = refusalOf({ SECRET_KEY_FILE: at('short') })
    expect(refusal).toMatch(/^SECRET_KEY_FILE must have at least 32 characters/)
    expect(refusal).not.toContain('hush')
  })
  it('that is misspelt is named, and the one that is meant', () => {
    const meant = {
      SECRET_KEY_FIEL: 'SECRET_KEY_FILE',
      secret_key_file: 'SECRET_KEY_FILE',
      DATABASE_ULR_FILE: 'DATABASE_URL_FILE',
      STRIPE_BR_SECRETKEY_FILE: 'STRIPE_BR_SECRET_KEY_FILE',
      JWT_PRIVAT_KEY_FILE: 'JWT_PRIVATE_KEY_FILE',
    }
    for (const [name, setting] of Object.entries(meant))
      expect(refusalOf({ [name]: 'x' })).toBe(`${name} is no setting; ${setting} is`)
    // Only secrets are read from files.
    expect(refusalOf({ STRIPE_BR_METHODS_FILE: 'x' })).toBe(
      'STRIPE_BR_METHODS_FILE is no setting; docs/settings.md lists them all',
    )
    expect(refusalOf({ LOG_FILE: 'x', PASSWORD_FILE: 'x', POSTGRES_PASSWORD_FILE: 'x', SECRETS_FILE: 'x' })).toBe('')
  })
})
