// What is missing in the settings or does not go together, a sentence each.
import { isIP } from 'node:net'
import { hostOf, isLoopback, isPublicAddress } from '#kernel/network/addresses.ts'
import type { SettingValues } from './settings.ts'

/** As far as the settings say, only this machine reaches the service. */
export const isLocal = (values: SettingValues): boolean => whyNotLocal(values) === null

function whyNotLocal({ HOST, PUBLIC_URL, TRUSTED_PROXIES }: SettingValues): string | null {
  if (!isLoopback(HOST ?? '')) return 'HOST is not a loopback address'
  if (PUBLIC_URL !== null && !isLoopback(hostOf(PUBLIC_URL))) return 'PUBLIC_URL is not a loopback address'
  return TRUSTED_PROXIES?.length ? 'TRUSTED_PROXIES names a proxy' : null
}

/** Why the sandbox is off although nobody switched it off; null when it is on, or SANDBOX says so. */
export function whyNoSandbox(values: SettingValues): string | null {
  if (values.SANDBOX !== null) return null
  return values.DATABASE_URL === null ? whyNotLocal(values) : 'DATABASE_URL is set'
}

/** Without the sandbox nothing is invented: what the service needs must be named. */
export function missingInProduction(values: SettingValues): string[] {
  const problems: string[] = []
  const need = (is: boolean, sentence: string) => {
    if (!is) problems.push(sentence)
  }
  need(values.SECRET_KEY !== null, 'SECRET_KEY is missing (SANDBOX is off)')
  need(values.JWT_PRIVATE_KEY !== null, 'JWT_PRIVATE_KEY is missing (SANDBOX is off)')
  need(values.LICENSE_SIGNING_KEY !== null, 'LICENSE_SIGNING_KEY is missing (SANDBOX is off)')
  need(values.SMTP_URL !== null, 'SMTP_URL is missing (SANDBOX is off)')
  need(values.PUBLIC_URL !== null, 'PUBLIC_URL is missing (SANDBOX is off)')
  need(values.DEMO !== true, 'DEMO needs SANDBOX=1')
  for (const name of ['ENTITY_BR_PAYMENTS', 'ENTITY_GLOBAL_PAYMENTS'] as const) {
    need(values[name] !== null, `${name} is missing (SANDBOX is off); "offline" if payments are recorded by hand`)
    need(values[name] !== 'sandbox', `${name} cannot be "sandbox" while SANDBOX is off`)
  }
  return problems
}

export function wrongDatabase(values: SettingValues): string[] {
  const { DATABASE_URL: url, DATABASE_SYSTEM_URL: systemUrl, DATABASE_OWNER_URL: ownerUrl } = values
  const problems: string[] = []
  if (url === null && (systemUrl ?? ownerUrl) !== null)
    problems.push('DATABASE_SYSTEM_URL and DATABASE_OWNER_URL need DATABASE_URL')
  if ((systemUrl === null) !== (ownerUrl === null))
    problems.push('DATABASE_SYSTEM_URL and DATABASE_OWNER_URL go together')
  return problems
}

export function wrongProvisioning(values: SettingValues): string[] {
  const { PROVISIONING_URL: url, PROVISIONING_SECRET: secret, PROVISIONING_WEBHOOK_SECRETS: webhookSecrets } = values
  if (url === null) return []
  const problems: string[] = []
  if (!isHttps(url) && !isLoopback(hostOf(url))) problems.push('PROVISIONING_URL must be https outside the loopback')
  if (secret === null) problems.push('PROVISIONING_SECRET is missing (PROVISIONING_URL is set)')
  if (!webhookSecrets?.length) problems.push('PROVISIONING_WEBHOOK_SECRETS is missing (PROVISIONING_URL is set)')
  return problems
}

export function missingForFiles(values: SettingValues): string[] {
  if (values.FILES !== 's3') return []
  const needed = ['FILES_S3_ENDPOINT', 'FILES_S3_BUCKET', 'FILES_S3_ACCESS_KEY', 'FILES_S3_SECRET_KEY'] as const
  return needed.filter((name) => values[name] === null).map((name) => `${name} is missing (FILES is s3)`)
}

/** The registry is on the internet. What names resolve to is checked when a connection is made (kernel/network/outgoing.ts). */
export function wrongRegistry({ COMPANY_REGISTRY_URLS: urls }: SettingValues, sandbox: boolean): string[] {
  const name = 'COMPANY_REGISTRY_URLS'
  if (!urls?.length) return [`${name} is empty`]
  return urls.flatMap((url) => {
    const host = hostOf(url)
    if (sandbox && isLoopback(host)) return []
    if (!isHttps(url)) return [`${name} must be https (it has ${url})`]
    const isPrivate = isLoopback(host) || (isIP(host) !== 0 && !isPublicAddress(host))
    return isPrivate ? [`${name} must not be a private address (it has ${url})`] : []
  })
}

const isHttps = (url: string): boolean => new URL(url).protocol === 'https:'
