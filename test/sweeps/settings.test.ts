// The README's table of settings against src/config/settings.ts, and the start that refuses what is wrong.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '#config/config.ts'
import { SETTINGS, type Setting } from '#config/settings.ts'

const rows = Object.entries<Setting<unknown>>(SETTINGS)

/** What a refusal says, a line for each problem. */
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
}

describe('settings', () => {
  it('are the README’s table, one row each, with the same default and meaning (npm run golden)', async () => {
    const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
    const documented = new Map<string, string[]>()
    for (const line of readme.split('\n')) {
      const [, name, fallback, meaning] = /^\| `([A-Z][A-Z0-9_]+)` \| (.*?) \| (.*) \|$/.exec(line) ?? []
      if (name) documented.set(name, [fallback ?? '', meaning ?? ''])
    }
    const expected = rows.map(([name, { fallback, meaning }]): [string, string[]] => [
      name,
      [fallback ? `\`${fallback}\`` : '', meaning],
    ])
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected))
  })
  it('have defaults that their own reader takes', () => {
    for (const [name, { fallback, read }] of rows) {
      if (fallback === undefined) continue
      expect(() => read(fallback), name).not.toThrow()
    }
  })
  it('start with nothing set: embedded, on the loopback, in the sandbox', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 3000, sandbox: true, database: { url: null } })
  })
  it('leave the sandbox where others can reach the service, or the database is somebody’s', () => {
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
  it('without the sandbox name all that is missing, a line each', () => {
    expect(refusalOf(PRODUCTION)).toBe('')
    for (const name of Object.keys(PRODUCTION).filter((one) => one !== 'SANDBOX' && one !== 'DATABASE_URL')) {
      const without = Object.fromEntries(Object.entries(PRODUCTION).filter(([other]) => other !== name))
      expect(refusalOf(without), name).toContain(`${name} is missing`)
    }
    expect(refusalOf({ SANDBOX: '0' }).split('\n').length).toBeGreaterThanOrEqual(6)
  })
  it('close the development doors outside the sandbox', () => {
    expect(refusalOf({ ...PRODUCTION, ENTITY_BR_PAYMENTS: 'sandbox' })).toContain('ENTITY_BR_PAYMENTS')
    expect(refusalOf({ ...PRODUCTION, ENTITY_BR_TAX_AUTHORITY: 'sandbox' })).toContain('ENTITY_BR_TAX_AUTHORITY')
    expect(refusalOf({ ...PRODUCTION, DEMO: '1' })).toContain('DEMO')
  })
  it('want the provisioning system signed in both directions, and by https outside the loopback', () => {
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
    expect(readConfig({}).registry.urls).toEqual(['https://brasilapi.com.br/api/cnpj/v1'])
    for (const url of ['https://registry.example/cnpj', 'https://a.example,https://[2606:4700::1]/x'])
      expect(refusalOf({ ...PRODUCTION, COMPANY_REGISTRY_URLS: url }), url).toBe('')
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
    for (const url of wrong)
      expect(refusalOf({ ...PRODUCTION, COMPANY_REGISTRY_URLS: url }), url).toContain('COMPANY_REGISTRY_URLS')
    expect(refusalOf({ COMPANY_REGISTRY_URLS: 'http://127.0.0.1:9' })).toBe('')
    for (const url of ['http://10.0.0.7', 'https://10.0.0.7', 'http://registry.example'])
      expect(refusalOf({ COMPANY_REGISTRY_URLS: url }), url).toContain('COMPANY_REGISTRY_URLS')
  })
  it('want a key, secrets and methods for each entity that is paid through Stripe', () => {
    const webhooks = `whsec_${'q8Zr0vV1'.repeat(4)}`
    const ofBrazil = { STRIPE_BR_SECRET_KEY: 'sk_live_q8Zr0vV1', STRIPE_BR_WEBHOOK_SECRETS: `${webhooks},${webhooks}` }
    const stripe = { ...PRODUCTION, ENTITY_BR_PAYMENTS: 'stripe', ...ofBrazil }
    const refusal = (more: Record<string, string>) => refusalOf({ ...stripe, ...more })
    expect(refusal({})).toBe('')
    expect(readConfig(stripe).stripe).toEqual({
      entity_br: {
        secretKey: 'sk_live_q8Zr0vV1',
        webhookSecrets: [webhooks, webhooks],
        methods: ['card', 'boleto', 'pix'],
        url: 'https://api.stripe.com',
      },
      entity_global: null,
    })
    expect(refusal({ STRIPE_BR_SECRET_KEY: '' })).toBe('STRIPE_BR_SECRET_KEY is missing (ENTITY_BR_PAYMENTS is stripe)')
    expect(refusal({ STRIPE_BR_WEBHOOK_SECRETS: '' })).toContain('STRIPE_BR_WEBHOOK_SECRETS is missing')
    expect(refusal({ STRIPE_BR_METHODS: ',' })).toContain('STRIPE_BR_METHODS is empty')
    expect(refusal({ ENTITY_GLOBAL_PAYMENTS: 'stripe' }).split('\n')).toHaveLength(2)
    // A test key takes no money and a live one no test events.
    expect(refusal({ STRIPE_BR_SECRET_KEY: 'rk_test_q8Zr0vV1' })).toContain('it needs SANDBOX=1')
    expect(refusal({ SANDBOX: '1' })).toContain('it needs SANDBOX=0')
    expect(refusal({ SANDBOX: '1', STRIPE_BR_SECRET_KEY: 'rk_test_q8Zr0vV1' })).toBe('')
    expect(refusal({ STRIPE_URL: 'http://stripe.example' })).toContain('STRIPE_URL must be https')
    expect(refusal({ STRIPE_URL: 'http://127.0.0.1:9' })).toBe('')
  })
  it('lead to pages of the portal: at the API’s paths, or where PORTAL_PATHS says', () => {
    expect(readConfig({}).portal).toBeNull()
    const PORTAL_URL = 'https://portal.example/'
    const { url, paths } = readConfig({ PORTAL_URL }).portal ?? {}
    expect([url, paths?.quote, paths?.tax_invoice]).toEqual([
      'https://portal.example',
      '/quotes/{id}',
      '/tax-invoices/{id}',
    ])
    const PORTAL_PATHS = 'quote=/{organization_id}/offers/{id}?tab=1, ticket=/#/help/{id}'
    expect(readConfig({ PORTAL_URL, PORTAL_PATHS }).portal?.paths).toEqual({
      ...paths,
      quote: '/{organization_id}/offers/{id}?tab=1',
      ticket: '/#/help/{id}',
    })
    expect(refusalOf({ PORTAL_PATHS })).toBe('PORTAL_PATHS needs PORTAL_URL')
  })
  it('name a misspelt setting and the one that is meant', () => {
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
    expect(refusalOf({ NFSE_BR_PASSPHRASE: 'x' })).toBe('NFSE_BR_PASSPHRASE is no setting; the README lists them all')
    // A value is never repeated: it may be a secret.
    expect(refusalOf({ STRIPE_BR_SECRETKEY: 'hush' })).not.toContain('hush')
  })
  it('leave the variables of other programs alone', () => {
    const others =
      'PATH HOME HOSTNAME LOGNAME USER SHELL TERM LANG EDITOR MAIL MAILTO PORTS PORT1 HOSTS LOG_FILE LOG_DIR DATABASE_NAME ' +
      'DATABASE_HOST DATABASE_PORT DATABASE_USER DB_URL REDIS_URL ADMIN_USER ADMIN_PASS SMTP_HOST SMTP_PORT SMTP_USER ' +
      'SECRET_KEY_BASE JWT_SECRET NODE_ENV NODE_OPTIONS STRIPE_API_KEY STRIPE_SECRET_KEY AWS_REGION S3_BUCKET FILE FILES_DIR ' +
      'METRICS_PORT TITULAR_SERVICE_HOST TITULAR_PORT_3000_TCP npm_config_cache npm_package_name DATA DATADOG_URL HOOK ISSUE'
    expect(refusalOf(Object.fromEntries(others.split(' ').map((name) => [name, 'x'])))).toBe('')
    // Beside the right one it is somebody's own.
    expect(refusalOf({ PUBLIC_URL: 'http://localhost:3000', PUBLIC_URLS: 'x' })).toBe('')
    expect(refusalOf({ PORT_: '' })).toBe('')
  })
  it('need the keys and systems of the service for no command that only looks after the database', () => {
    const environment = { DATABASE_URL: 'postgres://localhost/titular', SANDBOX: '0' }
    expect(() => readConfig(environment)).toThrow('JWT_PRIVATE_KEY is missing')
    expect(readConfig(environment, 'database').database.url).toBe(environment.DATABASE_URL)
    expect(() => readConfig({ ...environment, PORT: 'x' }, 'database')).toThrow('PORT')
    expect(() => readConfig({ ...environment, DATABASE_SYSTEM_URL: environment.DATABASE_URL }, 'database')).toThrow(
      'go together',
    )
  })
  it('take ADMIN_EMAIL without a password, once the administrator is made, and no password without an address', () => {
    const email = 'root@titular.example'
    expect(readConfig({ ADMIN_EMAIL: email }).admin).toEqual({ email, password: null })
    expect(refusalOf({ ADMIN_PASSWORD: 'um cavalo correto' })).toBe('ADMIN_PASSWORD needs ADMIN_EMAIL')
  })
  it('take no weak or short secret', () => {
    for (const SECRET_KEY of ['short', 'a'.repeat(48), 'changeme-changeme-changeme-changeme', 'secret'.repeat(8)])
      expect(refusalOf({ ...PRODUCTION, SECRET_KEY }), SECRET_KEY).toContain('SECRET_KEY')
  })
  it('never show a secret when they refuse it', () => {
    for (const [name, { secret }] of rows) {
      if (!secret) continue
      expect(refusalOf({ ...PRODUCTION, [name]: 'hush' }), name).not.toContain('hush')
    }
  })
  it('refuse what is no number, no address, no rate, no zone', () => {
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
      EXPIRY_WARNING_DAYS: ['0', '366', '7;1', '-1', 'never', '7.5'],
      LICENSE_FILE_DAYS: ['0', 'a month'],
      SANDBOX: ['maybe'],
      STRIPE_BR_SECRET_KEY: ['pk_live_q8Zr0vV1', 'sk_live_', 'q8Zr0vV1'],
      STRIPE_BR_WEBHOOK_SECRETS: ['whsec_short', 'q8Zr0vV1q8Zr0vV1q8Zr0vV1'],
      STRIPE_GLOBAL_METHODS: ['Card', 'card;pix'],
      RECONCILE_AFTER_MINUTES: ['0', '1.5', 'never'],
    }
    for (const [name, values] of Object.entries(wrong))
      for (const value of values) expect(refusalOf({ [name]: value }), `${name}=${value}`).toContain(name)
  })
})
