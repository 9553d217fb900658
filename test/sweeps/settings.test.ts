// docs/settings.md against src/config/variables.ts, and the start that refuses what is wrong.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, readDatabaseConfig } from '#config/config.ts'
import { SUBJECTS, VARIABLES } from '#config/variables.ts'
import type { Variable } from '#config/variable.ts'
import { settingsOf } from '#config/settings.ts'
import { NO_SYSTEMS } from '#test/harness/other-systems.ts'
import { settingsPage } from '#test/harness/settings-page.ts'
import { VENDOR_IDENTITY } from '#test/scenes/vendor-identity.ts'

/** The lines of a refusal, one per problem. */
function refusalOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const PRODUCTION = {
  SANDBOX: '0',
  DATABASE_URL: 'postgres://localhost/titular',
  SECRET_KEY: 'q8Zr0vV1p4yXw2m6B9dT5sN7kL3hJ0cF',
  JWT_PRIVATE_KEY: '-----BEGIN PRIVATE KEY-----',
  LICENSE_SIGNING_KEY: '-----BEGIN PRIVATE KEY-----',
  SMTP_URL: 'smtp://localhost:587',
  PUBLIC_URL: 'https://portal.example.com',
  ENTITY_BR_PAYMENTS: 'offline',
  ENTITY_BR_TAX_AUTHORITY: 'none',
  ENTITY_GLOBAL_PAYMENTS: 'offline',
  ...VENDOR_IDENTITY,
}

describe('settings', () => {
  it('have a meaning each, and a row each in docs/settings.md (npm run golden)', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/settings.md'), 'utf8')
    expect(page).toBe(settingsPage())
    const names = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)(?:\[_FILE\])?` \|/gm)].map(([, name = '']) => name)
    expect(names.toSorted()).toEqual(VARIABLES.map(({ name }) => name).toSorted())
    for (const { name, meaning } of VARIABLES) expect(meaning, name).toMatch(/\w.{8}/)
  })
  it('have defaults that their own reader takes', () => {
    for (const { name, fallback, sandboxFallback, read } of VARIABLES)
      for (const text of [fallback, sandboxFallback].filter((one) => one !== undefined))
        expect(() => read(text), name).not.toThrow()
  })
  it('are declared once: by name, and by property where a subject is spread into the configuration', () => {
    const names = VARIABLES.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
    const { http, process, keys, vendor, sandbox } = SUBJECTS
    const properties = [http, process, keys, vendor, sandbox].flatMap((subject) => Object.keys(subject))
    expect(properties).toEqual([...new Set(properties)])
  })
  it('are known to the areas where they say so, and no secret is', () => {
    const seen = VARIABLES.filter(({ visibleTo }) => visibleTo === 'areas')
    expect(seen.filter(({ secret }) => secret)).toEqual([])
    const configured = settingsOf(readConfig({ PORTAL_URL: 'https://portal.example', ...NO_SYSTEMS }))
    const { provisioning, issueTracker, crm, entities, files, portal, webhooks, ...others } = configured
    const { payments, testClocks, replies, firstSettings, ...single } = others
    const { loopback, ...deliveries } = webhooks
    const { entity_br, entity_global } = entities
    const known = [single, files, deliveries, portal, entity_br, entity_global].flatMap((one) => Object.keys(one))
    expect(known.filter((property) => property !== 'company').toSorted()).toEqual(
      Object.values(SUBJECTS)
        .flatMap((subject) => Object.entries<Variable>(subject))
        .filter(([, { visibleTo }]) => visibleTo === 'areas')
        .map(([property]) => property)
        .toSorted(),
    )
    expect(issueTracker).toBeNull()
    expect(firstSettings.entity_br).toMatchObject({ refunds: 'automatic', tax_issue_rule: 'on_payment' })
    expect(replies).toEqual({ mailbox: 'answers@titular.example', authServer: null })
    expect({ provisioning, loopback, testClocks }).toEqual({ provisioning: 'none', loopback: true, testClocks: true })
    expect(crm).toEqual({ entity_br: 'none', entity_global: 'none' })
    expect(payments).toEqual({ entity_br: 'sandbox', entity_global: 'sandbox' })
  })
  it('are all optional: embedded database, loopback, sandbox', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 3000, sandbox: true, database: { url: null } })
  })
  it('have none of the sandbox’s systems outside of it', () => {
    for (const { name } of VARIABLES.filter(({ sandboxFallback }) => sandboxFallback === 'sandbox'))
      expect(refusalOf({ SANDBOX: '0', [name]: 'sandbox' })).toContain(
        `${name} cannot be "sandbox" while SANDBOX is off`,
      )
  })
  it('turn the sandbox off where others can reach the service, or with a configured database', () => {
    const reachable = {
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://localhost/titular',
      PUBLIC_URL: 'https://portal.example.com',
      TRUSTED_PROXIES: '127.0.0.1',
    }
    for (const [name, value] of Object.entries(reachable)) {
      const lines = refusalOf({ [name]: value }).split('\n')
      expect(lines, name).toContain('SECRET_KEY is missing (SANDBOX is off)')
      expect(lines.at(-1)).toMatch(new RegExp(`^SANDBOX is off because ${name} .*; SANDBOX=1 turns it on`))
      expect(refusalOf({ [name]: value, SANDBOX: '1' })).toBe('')
      expect(readConfig({ [name]: value, SANDBOX: '1' }).isLocal, name).toBe(name === 'DATABASE_URL')
    }
    expect(refusalOf({ SANDBOX: '0' })).not.toContain('SANDBOX=1')
    for (const PUBLIC_URL of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
      expect(readConfig({ PUBLIC_URL, HOST: '::1' }), PUBLIC_URL).toMatchObject({ sandbox: true, isLocal: true })
  })
  it('that are missing without the sandbox are named, one line each', () => {
    expect(refusalOf(PRODUCTION)).toBe('')
    for (const name of Object.keys(PRODUCTION).filter((one) => one !== 'SANDBOX' && one !== 'DATABASE_URL')) {
      const without = Object.fromEntries(Object.entries(PRODUCTION).filter(([other]) => other !== name))
      expect(refusalOf(without), name).toContain(`${name} is missing`)
    }
    expect(refusalOf({ SANDBOX: '0' }).split('\n').length).toBeGreaterThanOrEqual(6)
  })
  it('say who sends and who sells, all that is missing in one refusal, in no words of ours', () => {
    const names = Object.keys(VENDOR_IDENTITY)
    const without = Object.fromEntries(Object.entries(PRODUCTION).filter(([name]) => !names.includes(name)))
    expect(refusalOf(without).split('\n')).toEqual(names.map((name) => `${name} is missing (SANDBOX is off)`))
    for (const name of names.slice(1))
      expect(refusalOf({ ...PRODUCTION, [name]: ' \t' }), name).toContain(`${name} must not be blank`)
    const { mail, entities } = readConfig(PRODUCTION)
    expect(JSON.stringify([mail, entities])).not.toContain('Titular')
  })
  it('name nobody who is made up outside the sandbox: such a value is one of the sandbox, or required', () => {
    const inventing = VARIABLES.filter(({ fallback = '' }) => /titular|example/i.test(fallback))
    // The program's own name.
    expect(inventing.map(({ name }) => name)).toEqual(['ISSUER', 'BRAND'])
  })
  it('turn development features off outside the sandbox', () => {
    expect(refusalOf({ ...PRODUCTION, ENTITY_BR_PAYMENTS: 'sandbox' })).toContain('ENTITY_BR_PAYMENTS')
    expect(refusalOf({ ...PRODUCTION, ENTITY_BR_TAX_AUTHORITY: 'sandbox' })).toContain('ENTITY_BR_TAX_AUTHORITY')
    expect(refusalOf({ ...PRODUCTION, DEMO: '1' })).toContain('DEMO')
  })
  it('require signatures in both directions for the provisioning system, and https outside the loopback', () => {
    const secret = `whsec_${'q8Zr0vV1'.repeat(5)}`
    const signed = { PROVISIONING_SECRET: secret, PROVISIONING_WEBHOOK_SECRETS: `${secret},${secret}` }
    const refusal = (url: string, more: object = signed) => refusalOf({ PROVISIONING_URL: url, ...more })
    for (const url of ['https://ops.example/hook', 'http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9'])
      expect(refusal(url), url).toBe('')
    for (const url of ['http://ops.example', 'http://10.0.0.7', 'http://127.0.0.1.evil.example', 'ftp://ops.example'])
      expect(refusal(url), url).toContain('PROVISIONING_URL')
    expect(refusal('https://ops.example', {}).split('\n')).toHaveLength(2)
    expect(refusal('https://ops.example', { ...signed, PROVISIONING_SECRET: 'whsec_short' })).toContain('24 to 64')
  })
  it('ask the federal registry by https and on the internet only; in the sandbox on this machine, too', () => {
    expect(readConfig({}).companyRegistry).toEqual({ kind: 'offline' })
    expect(readConfig({ COMPANY_REGISTRY: 'brasilapi' }).companyRegistry).toEqual({
      kind: 'brasilapi',
      urls: ['https://brasilapi.com.br/api/cnpj/v1'],
      postalCodeUrls: ['https://brasilapi.com.br/api/cep/v2'],
    })
    const wrong = [
      'http://registry.example',
      'ftp://registry.example',
      'file:///etc/passwd',
      'registry.example',
      'https://user:secret@registry.example',
      'https://127.0.0.1',
      'https://localhost:8443',
      'https://10.0.0.7',
      'https://169.254.169.254/latest',
      'https://2852039166',
      'https://[::1]',
      'https://[::ffff:10.0.0.7]',
      'https://[fd00::1]',
      'https://registry.example,https://192.168.0.1',
      ',',
    ]
    for (const name of ['COMPANY_REGISTRY_URLS', 'POSTAL_CODE_URLS']) {
      for (const url of ['https://registry.example/cnpj', 'https://a.example,https://[2606:4700::1]/x'])
        expect(refusalOf({ ...PRODUCTION, [name]: url }), url).toBe('')
      for (const url of wrong) expect(refusalOf({ ...PRODUCTION, [name]: url }), url).toContain(name)
      expect(refusalOf({ [name]: 'http://127.0.0.1:9' })).toBe('')
      for (const url of ['http://10.0.0.7', 'https://10.0.0.7', 'http://registry.example'])
        expect(refusalOf({ [name]: url }), url).toContain(name)
    }
  })
  it('require a key, secrets and methods for each entity that uses Stripe', () => {
    const webhooks = `whsec_${'q8Zr0vV1'.repeat(4)}`
    const ofBrazil = { STRIPE_BR_SECRET_KEY: 'sk_live_q8Zr0vV1', STRIPE_BR_WEBHOOK_SECRETS: `${webhooks},${webhooks}` }
    const stripe = { ...PRODUCTION, ENTITY_BR_PAYMENTS: 'stripe', ...ofBrazil }
    const refusal = (more: Record<string, string>) => refusalOf({ ...stripe, ...more })
    expect(refusal({})).toBe('')
    expect(readConfig(stripe).paymentMethods).toEqual({ entity_br: ['card', 'boleto', 'pix'], entity_global: ['card'] })
    expect(readConfig(stripe).payments).toEqual({
      entity_br: {
        provider: 'stripe',
        secretKey: 'sk_live_q8Zr0vV1',
        webhookSecrets: [webhooks, webhooks],
        url: 'https://api.stripe.com',
      },
      entity_global: { provider: 'none' },
    })
    expect(refusal({ STRIPE_BR_SECRET_KEY: '' })).toBe('STRIPE_BR_SECRET_KEY is missing (ENTITY_BR_PAYMENTS is stripe)')
    expect(refusal({ STRIPE_BR_WEBHOOK_SECRETS: '' })).toContain('STRIPE_BR_WEBHOOK_SECRETS is missing')
    expect(refusal({ STRIPE_BR_METHODS: ',' })).toContain('STRIPE_BR_METHODS is empty')
    expect(refusal({ ENTITY_GLOBAL_PAYMENTS: 'stripe' }).split('\n')).toHaveLength(2)
    const both = { STRIPE_BR_SECRET_KEY: 'rk_test_q8Zr0vV1', STRIPE_BR_WEBHOOK_SECRETS: '' }
    expect(refusal(both).split('\n')).toHaveLength(2)
    // A test key takes no money, and a live key gets no test events.
    expect(refusal({ STRIPE_BR_SECRET_KEY: 'rk_test_q8Zr0vV1' })).toContain('it needs SANDBOX=1')
    expect(refusal({ SANDBOX: '1' })).toContain('it needs SANDBOX=0')
    expect(refusal({ SANDBOX: '1', STRIPE_BR_SECRET_KEY: 'rk_test_q8Zr0vV1' })).toBe('')
    expect(refusal({ STRIPE_URL: 'http://stripe.example' })).toContain('STRIPE_URL must be https')
    expect(refusal({ STRIPE_URL: 'http://127.0.0.1:9' })).toBe('')
  })
  it('lead into the console, or to pages of the portal: at the API’s paths, or where PORTAL_PATHS says', () => {
    const { portal } = readConfig({ SANDBOX: '1', PUBLIC_URL: 'https://accounts.example/' })
    expect([portal.url, portal.paths.quote]).toEqual([
      'https://accounts.example/app',
      '/o/{organization_id}/quotes/{id}',
    ])
    const PORTAL_URL = 'https://portal.example/'
    const { url, paths } = readConfig({ PORTAL_URL }).portal
    expect([url, paths.quote, paths.tax_invoice]).toEqual([
      'https://portal.example',
      '/quotes/{id}',
      '/tax-invoices/{id}',
    ])
    const PORTAL_PATHS = 'quote=/{organization_id}/offers/{id}?tab=1, ticket=/#/help/{id}'
    expect(readConfig({ PORTAL_URL, PORTAL_PATHS }).portal.paths).toEqual({
      ...paths,
      quote: '/{organization_id}/offers/{id}?tab=1',
      ticket: '/#/help/{id}',
    })
    expect(readConfig({ PORTAL_URL, PORTAL_PATHS: 'console' }).portal.paths).toEqual(portal.paths)
    expect(refusalOf({ PORTAL_PATHS })).toBe('PORTAL_PATHS needs PORTAL_URL')
  })
  it('that are misspelt are named with the right name', () => {
    const meant = {
      STRIPE_BR_SECRETKEY: 'STRIPE_BR_SECRET_KEY',
      STRIPE_BR_WEBHOOK_SECRET: 'STRIPE_BR_WEBHOOK_SECRETS',
      PORT_: 'PORT',
      port: 'PORT',
      sand_box: 'SANDBOX',
      DATABASE_ULR: 'DATABASE_URL',
      DATABASEURL: 'DATABASE_URL',
      JWT_PRIVAT_KEY: 'JWT_PRIVATE_KEY',
      ADMIN_PASWORD: 'ADMIN_PASSWORD',
      ENTITY_BR_TIMEZONE: 'ENTITY_BR_TIME_ZONE',
      TRUSTED_PROXYS: 'TRUSTED_PROXIES',
    }
    for (const [name, setting] of Object.entries(meant))
      expect(refusalOf({ [name]: 'x' })).toBe(`${name} is no setting; ${setting} is`)
    expect(refusalOf({ NFSE_BR_PASSPHRASE: 'x' })).toBe(
      'NFSE_BR_PASSPHRASE is no setting; docs/settings.md lists them all',
    )
    // A value is never repeated, since it may be a secret.
    expect(refusalOf({ STRIPE_BR_SECRETKEY: 'hush' })).not.toContain('hush')
  })
  it('are not confused with variables of other programs', () => {
    const others =
      'PATH HOME HOSTNAME LOGNAME USER SHELL TERM LANG EDITOR MAIL MAILTO PORTS PORT1 HOSTS LOG_FILE LOG_DIR DATABASE_NAME ' +
      'DATABASE_HOST DATABASE_PORT DATABASE_USER DB_URL REDIS_URL ADMIN_USER ADMIN_PASS SMTP_HOST SMTP_PORT SMTP_USER ' +
      'SECRET_KEY_BASE JWT_SECRET NODE_ENV NODE_OPTIONS STRIPE_API_KEY STRIPE_SECRET_KEY AWS_REGION S3_BUCKET FILE FILES_DIR ' +
      'METRICS_PORT TITULAR_SERVICE_HOST TITULAR_PORT_3000_TCP npm_config_cache npm_package_name DATA DATADOG_URL HOOK ISSUE'
    expect(refusalOf(Object.fromEntries(others.split(' ').map((name) => [name, 'x'])))).toBe('')
    // When the right name is set too, the other one belongs to another program.
    expect(refusalOf({ PUBLIC_URL: 'http://localhost:3000', PUBLIC_URLS: 'x' })).toBe('')
    expect(refusalOf({ PORT_: '' })).toBe('')
  })
  it('for keys and outside systems are not needed by commands that only maintain the database', () => {
    const environment = { DATABASE_URL: 'postgres://localhost/titular', SANDBOX: '0' }
    expect(() => readConfig(environment)).toThrow('JWT_PRIVATE_KEY is missing')
    expect(readDatabaseConfig(environment).database.url).toBe(environment.DATABASE_URL)
    expect(() => readDatabaseConfig({ ...environment, PORT: 'x' })).toThrow('PORT')
    expect(() => readDatabaseConfig({ ...environment, DATABASE_SYSTEM_URL: environment.DATABASE_URL })).toThrow(
      'go together',
    )
  })
  it('allow ADMIN_EMAIL without a password, for an existing administrator, but no password without ADMIN_EMAIL', () => {
    const email = 'root@titular.example'
    expect(readConfig({ ADMIN_EMAIL: email }).admin).toEqual({ email, password: null })
    expect(refusalOf({ ADMIN_PASSWORD: 'um cavalo correto' })).toBe('ADMIN_PASSWORD needs ADMIN_EMAIL')
  })
  it('refuse weak and short secrets', () => {
    for (const SECRET_KEY of ['short', 'a'.repeat(48), 'changeme-changeme-changeme-changeme', 'secret'.repeat(8)])
      expect(refusalOf({ ...PRODUCTION, SECRET_KEY }), SECRET_KEY).toContain('SECRET_KEY')
  })
  it('never show a secret when they refuse it', () => {
    for (const { name, secret } of VARIABLES) {
      if (!secret) continue
      expect(refusalOf({ ...PRODUCTION, [name]: 'hush' }), name).not.toContain('hush')
    }
  })
  it('refuse invalid numbers, URLs, rates and time zones', () => {
    const wrong = {
      PORT: ['-1', '65536', '3000.5', '3e3', '0x10', ' 1'],
      PUBLIC_URL: ['portal', 'ftp://portal', 'javascript:1', 'https://a:b@portal.example', 'https://portal.example/?x'],
      PORTAL_URL: ['portal', 'ftp://portal.example', 'https://portal.example/?x'],
      PORTAL_PATHS: [
        'quote',
        'quotes=/q/{id}',
        'quote=q/{id}',
        'quote=/q/{number}',
        'quote=/q/{id',
        'order=/a b',
        '=/q',
      ],
      CORS_ORIGINS: ['*', 'null', 'portal.example', 'https://portal.example/', 'https://*.example', 'file://x'],
      METRICS_TOKEN: ['short'],
      LIMIT_REQUESTS: ['10', '0/60', '10/0', '-1/60', '10/60/1'],
      ENTITY_BR_TIME_ZONE: ['Brasilia', 'UTC+3 '],
      TRUSTED_PROXIES: ['true', '1', 'proxy.example.com', '0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/99'],
      INBOUND_EVENT_DAYS: ['29', '-1', '1.5', 'never', '36501'],
      NAME_SERVERS: ['dns.example.com', '9.9.9.9:0', '9.9.9.9:65536', '[9.9.9.9', '10.0.0.0/8', '2620:fe::fe:x'],
      LIMIT_REPORTS: ['600', '600/', '0/60'],
      EXPIRY_WARNING_DAYS: ['0', '366', '7;1', '-1', 'never', '7.5'],
      LICENSE_FILE_DAYS: ['0', 'a month'],
      SANDBOX: ['maybe'],
      STRIPE_BR_SECRET_KEY: ['pk_live_q8Zr0vV1', 'sk_live_', 'q8Zr0vV1'],
      STRIPE_BR_WEBHOOK_SECRETS: ['whsec_short', 'q8Zr0vV1q8Zr0vV1q8Zr0vV1'],
      STRIPE_BR_METHODS: ['cards', 'card,Pix'],
      STRIPE_GLOBAL_METHODS: ['Card', 'card;pix', 'card,pix', 'boleto'],
      RECONCILE_AFTER_MINUTES: ['0', '1.5', 'never'],
      RENEWAL_INVOICE_DAYS: ['-1', '61', '1.5', 'never'],
      RENEWAL_QUOTE_DAYS: ['-1', '366', '1.5', 'never'],
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values) expect(refusalOf({ [name]: value }), `${name}=${value}`).toContain(name)
  })
})
