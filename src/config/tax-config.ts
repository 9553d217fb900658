// Who issues the tax invoices of the legal entity in Brazil, and what the national NFS-e needs for it.
import { normalizeCnpj } from '#ports/cnpj.ts'
import type { SettingValues } from './settings.ts'

export type TaxAuthorityChoice =
  | { kind: 'none' }
  /** Its own example profile when the path is null. */
  | { kind: 'sandbox'; profilesPath: string | null }
  | {
      kind: 'nfse'
      environment: 'production' | 'restricted'
      url: string | null
      paths: string[]
      certificatePath: string
      certificatePassword: string
      caPath: string | null
      profilesPath: string
      signature: 'sha256' | 'sha1'
    }

/** Of the legal entity in Brazil, where the sandbox issues and none was given. */
const SANDBOX_CNPJ = '11222333000181'

const kindOf = (values: SettingValues): TaxAuthorityChoice['kind'] => values.ENTITY_BR_TAX_AUTHORITY ?? 'sandbox'

export function taxAuthorityOf(values: SettingValues): TaxAuthorityChoice {
  const kind = kindOf(values)
  if (kind === 'none') return { kind }
  if (kind === 'sandbox') return { kind, profilesPath: values.NFSE_BR_PROFILES }
  return {
    kind,
    environment: values.NFSE_BR_ENVIRONMENT ?? 'production',
    url: values.NFSE_BR_URL,
    paths: values.NFSE_BR_PATHS ?? [],
    certificatePath: values.NFSE_BR_CERTIFICATE ?? '',
    certificatePassword: values.NFSE_BR_CERTIFICATE_PASSWORD ?? '',
    caPath: values.NFSE_BR_CA,
    profilesPath: values.NFSE_BR_PROFILES ?? '',
    signature: values.NFSE_BR_SIGNATURE ?? 'sha256',
  }
}

export const brazilianTaxId = (values: SettingValues): string =>
  values.ENTITY_BR_TAX_ID || (kindOf(values) === 'sandbox' ? SANDBOX_CNPJ : '')

/** A sentence for each thing that is missing or does not go together. */
export function wrongTaxAuthority(
  values: SettingValues,
  sandbox: boolean,
  isLoopback: (host: string) => boolean,
): string[] {
  const { ENTITY_BR_TAX_AUTHORITY: choice, NFSE_BR_URL: url } = values
  const name = 'ENTITY_BR_TAX_AUTHORITY'
  if (!sandbox && choice === null)
    return [`${name} is missing (SANDBOX is off); "none" if tax invoices are issued elsewhere`]
  if (!sandbox && choice === 'sandbox') return [`${name} cannot be "sandbox" while SANDBOX is off`]
  if (choice !== 'nfse') return []
  const problems = (['NFSE_BR_CERTIFICATE', 'NFSE_BR_PROFILES'] as const)
    .filter((one) => values[one] === null)
    .map((one) => `${one} is missing (${name} is nfse)`)
  if (normalizeCnpj(values.ENTITY_BR_TAX_ID ?? '') === null)
    problems.push(`ENTITY_BR_TAX_ID must be the CNPJ that issues (${name} is nfse)`)
  if (sandbox && values.NFSE_BR_ENVIRONMENT === 'production')
    problems.push('NFSE_BR_ENVIRONMENT must be restricted in the sandbox: no real tax invoice is for a try')
  const { protocol, hostname } = new URL(url ?? 'https://sefin.nfse.gov.br')
  if (protocol !== 'https:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    problems.push('NFSE_BR_URL must be https outside the loopback')
  return problems
}
