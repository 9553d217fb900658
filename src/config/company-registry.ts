// The company registry, which knows whether a CNPJ exists, and the addresses of postal codes.
import { isIP } from 'node:net'
import { hostOf, isLoopback, isPublicAddress } from '#kernel/network/addresses.ts'
import { WrongSettings } from './problems.ts'
import { httpUrl, isHttps, listOf, oneOf } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const COMPANY_REGISTRY = {
  kind: {
    name: 'COMPANY_REGISTRY',
    meaning: '`offline` checks digits only; `brasilapi` asks the federal registry, and for addresses of postal codes',
    fallback: 'offline',
    read: oneOf('offline', 'brasilapi'),
  },
  urls: {
    name: 'COMPANY_REGISTRY_URLS',
    meaning: 'Addresses of the registry (https, not private), tried in order; the CNPJ is put behind them',
    fallback: 'https://brasilapi.com.br/api/cnpj/v1',
    read: listOf(httpUrl),
  },
  postalCodeUrls: {
    name: 'POSTAL_CODE_URLS',
    meaning: 'The same for the addresses of postal codes; the CEP is put behind them',
    fallback: 'https://brasilapi.com.br/api/cep/v2',
    read: listOf(httpUrl),
  },
} as const satisfies Variables

export type CompanyRegistryChoice =
  | { kind: 'offline' }
  | { kind: 'brasilapi'; urls: string[]; postalCodeUrls: string[] }

export function companyRegistryOf(
  { kind, urls, postalCodeUrls }: ValuesOf<typeof COMPANY_REGISTRY>,
  sandbox: boolean,
): CompanyRegistryChoice {
  const problems = [
    ...problemsWith(COMPANY_REGISTRY.urls.name, urls, sandbox),
    ...problemsWith(COMPANY_REGISTRY.postalCodeUrls.name, postalCodeUrls, sandbox),
  ]
  if (problems.length > 0) throw new WrongSettings(problems.join('\n'))
  return kind === 'offline' ? { kind } : { kind, urls, postalCodeUrls }
}

function problemsWith(name: string, urls: readonly string[], sandbox: boolean): string[] {
  if (urls.length === 0) return [`${name} is empty`]
  return urls.flatMap((url) => problemWith(url, sandbox) ?? []).map((problem) => `${name} ${problem}`)
}

/** Public https addresses only; what host names resolve to is checked on connection (ports/outgoing.ts). */
function problemWith(url: string, sandbox: boolean): string | null {
  const host = hostOf(url)
  if (sandbox && isLoopback(host)) return null
  if (!isHttps(url)) return `must be https (it has ${url})`
  const isPrivate = isLoopback(host) || (isIP(host) !== 0 && !isPublicAddress(host))
  return isPrivate ? `must not be a private address (it has ${url})` : null
}
