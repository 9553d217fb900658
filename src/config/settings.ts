// Every environment variable as a row: its name, what it means, what it is when unset, how it is read. The README's
// table and `.env` files are held to this one by a test.
import { SETTINGS_OF_ENTITY_BR, SETTINGS_OF_ENTITY_GLOBAL } from './entity-settings.ts'
import { FILE_SETTINGS } from './file-settings.ts'
import { portalPaths } from './portal.ts'
import { PAYMENT_SETTINGS } from './payment-settings.ts'
import {
  bearerToken,
  daysBefore,
  email,
  flag,
  httpUrl,
  list,
  number,
  oneOf,
  origins,
  postgresUrl,
  proxies,
  rate,
  secretKey,
  text,
  webhookSecret,
} from './setting-readers.ts'
import { TAX_SETTINGS } from './tax-settings.ts'

export type Setting<Value> = {
  meaning: string
  /** As the README prints it; undefined when the variable has no fixed default. */
  fallback?: string
  /** Throws a sentence that says what the value must be. Gets the fallback when the variable is unset. */
  read: (text: string) => Value
  secret?: boolean
}

export const SETTINGS = {
  HOST: { meaning: 'Address to listen on', fallback: '127.0.0.1', read: text },
  PORT: { meaning: 'Port to listen on; 0 takes a free one', fallback: '3000', read: number(0, 65_535) },
  PUBLIC_URL: {
    meaning: 'How clients and mailed links reach the service; `http://{HOST}:{PORT}` when unset',
    read: httpUrl,
  },
  DATA_DIR: {
    meaning: 'Where the embedded database, keys, sandbox mail and files live',
    fallback: './data',
    read: text,
  },
  DATABASE_URL: {
    meaning: 'PostgreSQL 15 or newer; an embedded one runs under DATA_DIR when unset',
    read: postgresUrl,
    secret: true,
  },
  DATABASE_SYSTEM_URL: {
    meaning: 'Login of its own for the system role (with DATABASE_OWNER_URL, behind PgBouncer)',
    read: postgresUrl,
    secret: true,
  },
  DATABASE_OWNER_URL: { meaning: 'Login of its own for migrations', read: postgresUrl, secret: true },
  DATABASE_READ_CONNECTIONS: {
    meaning: 'Shared connections for reads in each process',
    fallback: '4',
    read: number(1, 32),
  },
  DATABASE_CHANGE_CONNECTIONS: {
    meaning: 'Connections for changes in each process',
    fallback: '10',
    read: number(2, 200),
  },
  DATABASE_START_SECONDS: {
    meaning: 'How long a start waits for a database that cannot be reached yet',
    fallback: '30',
    read: number(0, 3600),
  },
  ADMIN_EMAIL: { meaning: 'First administrator, made if absent', read: email },
  ADMIN_PASSWORD: { meaning: 'Their password, needed only until they are made', read: text, secret: true },
  SECRET_KEY: {
    meaning: 'HMAC key for nonces, refresh tokens and links; made once under DATA_DIR in the sandbox',
    read: secretKey,
    secret: true,
  },
  JWT_PRIVATE_KEY: {
    meaning: 'One or more RSA private keys (PEM, 3072 bits); the first signs, all are published',
    read: text,
    secret: true,
  },
  LICENSE_SIGNING_KEY: {
    meaning: 'One or more Ed25519 private keys (PEM); the first signs license files, all are published',
    read: text,
    secret: true,
  },
  LICENSE_FILE_DAYS: { meaning: 'Days that a license file is good for at most', fallback: '30', read: number(1, 3650) },
  EXPIRY_WARNING_DAYS: {
    meaning: 'How many days before something expires its members are warned, by comma; `none` for never',
    fallback: '30,7,1',
    read: daysBefore,
  },
  ISSUER: { meaning: '`iss` of the access tokens', fallback: 'titular', read: text },
  SANDBOX: {
    meaning:
      'Development doors: payment sandbox, `/mail`, demo. On by default only with the embedded database, a loopback HOST, a loopback or unset PUBLIC_URL and no trusted proxy',
    read: flag,
  },
  DEMO: { meaning: 'Load the demo data; on by default on a fresh embedded database in the sandbox', read: flag },
  BRAND: { meaning: 'Name of the vendor on pages and mails', fallback: 'Titular', read: text },
  PORTAL_URL: {
    meaning: 'The vendor’s portal, to which buttons of mails and pages lead; there are none when unset',
    read: httpUrl,
  },
  PORTAL_PATHS: {
    meaning:
      'Pages of the portal that are not at the API’s paths (`/quotes/{id}`), by comma: `quote=/{organization_id}/offers/{id}`, `collaborator=/team`, …',
    read: portalPaths,
  },
  MAIL_FROM: { meaning: 'Sender of mails', fallback: 'Titular <no-reply@titular.example>', read: text },
  SMTP_URL: {
    meaning: 'Mail server, `smtp://user:password@host:587`; files under DATA_DIR/mail in the sandbox when unset',
    read: text,
    secret: true,
  },
  SMTP_CHECK: {
    meaning: 'Sign in to the mail server at the start; `0` starts while it is away',
    fallback: '1',
    read: flag,
  },
  COMPANY_REGISTRY: {
    meaning: '`offline` checks digits only; `brasilapi` asks the federal registry',
    fallback: 'offline',
    read: oneOf('offline', 'brasilapi'),
  },
  COMPANY_REGISTRY_URLS: {
    meaning: 'Addresses of the registry (https, not private), tried in order; the CNPJ is put behind them',
    fallback: 'https://brasilapi.com.br/api/cnpj/v1',
    read: (value: string) => list(value).map(httpUrl),
  },
  ...SETTINGS_OF_ENTITY_BR,
  ...TAX_SETTINGS,
  ...SETTINGS_OF_ENTITY_GLOBAL,
  ...PAYMENT_SETTINGS,
  REFUNDS: {
    meaning: '`approve`: staff approve each refund; `automatic`: sent at once. Automatic in the sandbox',
    read: oneOf('approve', 'automatic'),
  },
  COMMISSION_DAYS: {
    meaning: 'Days after a payment in which a commission waits for a refund; then the affiliate has earned it',
    fallback: '30',
    read: number(0, 3650),
  },
  PROVISIONING_URL: {
    meaning:
      'The vendor’s system that sets environments up (https outside the loopback); staff do it by hand when unset',
    read: httpUrl,
  },
  PROVISIONING_SECRET: {
    meaning: 'Signs the requests to it (Standard Webhooks, `whsec_…`)',
    read: webhookSecret,
    secret: true,
  },
  PROVISIONING_WEBHOOK_SECRETS: {
    meaning: 'Any of them signs its reports to `/webhooks/provisioning`, by comma',
    read: (value: string) => list(value).map(webhookSecret),
    secret: true,
  },
  CORS_ORIGINS: { meaning: 'Origins of browsers that may call the API, by comma', fallback: '', read: origins },
  TRUSTED_PROXIES: {
    meaning: 'Addresses or ranges of the proxies whose X-Forwarded-For counts, by comma',
    fallback: '',
    read: proxies,
  },
  METRICS_TOKEN: {
    meaning: 'Bearer token for `/metrics`; without it `/metrics` is there in the sandbox only',
    read: bearerToken,
    secret: true,
  },
  LOG_LEVEL: {
    meaning: 'debug, info, warn, error or silent',
    fallback: 'info',
    read: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  },
  HOOKS: { meaning: 'Path of a module with in-process hooks', read: text },
  SUPPORT_EMAIL: { meaning: 'Is told of each ticket that a customer opens', read: email },
  ...FILE_SETTINGS,
  JOBS_CONCURRENCY: { meaning: 'Jobs that one process works on at once', fallback: '4', read: number(1, 64) },
  JOBS_LEASE_SECONDS: {
    meaning: 'After so long the job of a process that died is taken over',
    fallback: '60',
    read: number(3, 3600),
  },
  WORK_PORT: {
    meaning: 'Port on which `work` serves `/healthz`, `/readyz` and `/metrics`; none when unset',
    read: number(1, 65_535),
  },
  SHUTDOWN_DELAY_SECONDS: {
    meaning: 'After SIGTERM `/readyz` says 503 for so long before the port closes, so that balancers look elsewhere',
    fallback: '0',
    read: number(0, 300),
  },
  LIMIT_CREDENTIALS: {
    meaning: 'Per address and account: sign-in, reset, verification, invite check',
    fallback: '10/60',
    read: rate,
  },
  LIMIT_PUBLIC: { meaning: 'Per address: register, CNPJ check, license validation', fallback: '60/60', read: rate },
  LIMIT_REQUESTS: { meaning: 'Per caller: everything else', fallback: '6000/60', read: rate },
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS
export type SettingValues = { readonly [Name in SettingName]: ReturnType<(typeof SETTINGS)[Name]['read']> | null }

/** All wrong settings in one error, a line each. */
export class WrongSettings extends Error {}

/** Reads the whole table. Unset and empty variables take their fallback, or null. */
export function readSettings(environment: Record<string, string | undefined>): SettingValues {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = environment[name] || setting.fallback
    try {
      values[name] = given === undefined ? null : setting.read(given)
    } catch (error) {
      const shown = setting.secret ? '' : ` (it is ${JSON.stringify(environment[name])})`
      problems.push(`${name} ${error instanceof Error ? error.message : 'is wrong'}${shown}`)
    }
  }
  if (problems.length > 0) throw new WrongSettings(problems.join('\n'))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value was read by its own row above
  return Object.freeze(values) as SettingValues
}
