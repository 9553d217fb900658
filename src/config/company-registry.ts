// The company registry, which knows whether a CNPJ exists.
import { isIP } from 'node:net'
import { hostOf, isLoopback, isPublicAddress } from '#kernel/network/addresses.ts'
import { WrongSettings } from './problems.ts'
import { httpUrl, isHttps, listOf, oneOf } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const COMPANY_REGISTRY = {
  kind: {
    name: 'COMPANY_REGISTRY',
    meaning: '`offline` checks digits only; `brasilapi` asks the federal registry',
    fallback: 'offline',
    read: oneOf('offline', 'brasilapi'),
  },
  urls: {
    name: 'COMPANY_REGISTRY_URLS',
    meaning: 'Addresses of the registry (https, not private), tried in order; the CNPJ is put behind them',
    fallback: 'https://brasilapi.com.br/api/cnpj/v1',
    read: listOf(httpUrl),
  },
} as const satisfies Variables

export type CompanyRegistryChoice = { kind: 'offline' } | { kind: 'brasilapi'; urls: string[] }

export function companyRegistryOf(
  { kind, urls }: ValuesOf<typeof COMPANY_REGISTRY>,
  sandbox: boolean,
): CompanyRegistryChoice {
  const { name } = COMPANY_REGISTRY.urls
  const problems = urls.length === 0 ? ['is empty'] : urls.flatMap((url) => problemWith(url, sandbox) ?? [])
  if (problems.length > 0) throw new WrongSettings(problems.map((problem) => `${name} ${problem}`).join('\n'))
  return kind === 'offline' ? { kind } : { kind, urls }
}

/** Public https addresses only; what host names resolve to is checked on connection (ports/outgoing.ts). */
function problemWith(url: string, sandbox: boolean): string | null {
  const host = hostOf(url)
  if (sandbox && isLoopback(host)) return null
  if (!isHttps(url)) return `must be https (it has ${url})`
  const isPrivate = isLoopback(host) || (isIP(host) !== 0 && !isPublicAddress(host))
  return isPrivate ? `must not be a private address (it has ${url})` : null
}
