// The tax authority of the legal entity in Brazil, and the settings of the national NFS-e.
import { normalizeCnpj } from '#ports/cnpj.ts'
import { taxIssueRule } from '#ports/tax-issue-rule.ts'
import { ENTITY_BR } from './entities.ts'
import { allOf, needed, WrongSettings } from './problems.ts'
import { list, oneOf, secureUrl, text } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const TAX = {
  authority: {
    name: 'ENTITY_BR_TAX_AUTHORITY',
    meaning: 'Brazil: `nfse`, the national NFS-e, or `none`: tax invoices are issued elsewhere',
    sandboxFallback: 'sandbox',
    required: '"none" if tax invoices are issued elsewhere',
    read: oneOf('nfse', 'none', 'sandbox'),
  },
  taxIssueRule: {
    name: 'ENTITY_BR_TAX_ISSUE_RULE',
    meaning:
      'Brazil: when invoices get their tax invoices: `on_payment`, `on_finalize`, `days_before_due:N`, ' +
      '`next_month_day:D`; organizations and products may have another rule',
    fallback: 'on_payment',
    read: taxIssueRule,
  },
  environment: {
    name: 'NFSE_BR_ENVIRONMENT',
    meaning: '`production`, or `restricted`: the national system’s own test environment, without legal force',
    fallback: 'production',
    read: oneOf('production', 'restricted'),
  },
  url: {
    name: 'NFSE_BR_URL',
    meaning: 'Address of the system (https outside the loopback); the national one of NFSE_BR_ENVIRONMENT when unset',
    read: secureUrl,
  },
  parametersUrl: {
    name: 'NFSE_BR_PARAMETERS_URL',
    meaning:
      'Address of the municipal parameters (https outside the loopback); the national one of ' +
      'NFSE_BR_ENVIRONMENT when unset',
    read: secureUrl,
  },
  paths: {
    name: 'NFSE_BR_PATHS',
    meaning:
      'Paths of a municipality that differ from the national ones, by comma: `issue=/nfse`, `declaration=/dps/{id}`, …',
    fallback: '',
    read: list,
  },
  certificatePath: {
    name: 'NFSE_BR_CERTIFICATE',
    meaning: 'Path of the e-CNPJ certificate (A1), a PKCS#12 file; signs and opens the connection',
    read: text,
  },
  certificatePassword: {
    name: 'NFSE_BR_CERTIFICATE_PASSWORD',
    meaning: 'Its password',
    fallback: '',
    read: text,
    secret: true,
  },
  caPath: {
    name: 'NFSE_BR_CA',
    meaning: 'Path of the certificates (PEM) that vouch for the system, where they are not among the usual ones',
    read: text,
  },
  profilesPath: {
    name: 'NFSE_BR_PROFILES',
    meaning: 'Path of the fiscal profiles (docs/tax-invoices.md), a JSON file; the sandbox has an example of its own',
    read: text,
  },
  signature: {
    name: 'NFSE_BR_SIGNATURE',
    meaning: 'Signature of the documents: `sha256`, or `sha1` where a municipality knows only that',
    fallback: 'sha256',
    read: oneOf('sha256', 'sha1'),
  },
} as const satisfies Variables

type Tax = ValuesOf<typeof TAX>

export type TaxChoice =
  | { authority: 'none' }
  /** The sandbox's own example profile applies when the path is null. */
  | { authority: 'sandbox'; profilesPath: string | null }
  | ({ authority: 'nfse'; certificatePath: string; profilesPath: string } & Omit<
      Tax,
      'authority' | 'certificatePath' | 'profilesPath'
    >)

/** The sandbox's issuer when ENTITY_BR_TAX_ID is unset. */
const SANDBOX_CNPJ = '11222333000181'

export const brazilianTaxId = (taxId: string, { authority }: Tax): string =>
  taxId || (authority === 'sandbox' ? SANDBOX_CNPJ : '')

export function taxChoiceOf(tax: Tax, { sandbox, taxId }: { sandbox: boolean; taxId: string }): TaxChoice {
  const { name } = TAX.authority
  switch (tax.authority) {
    case 'none':
      return { authority: 'none' }
    case 'sandbox':
      if (!sandbox) throw new WrongSettings(`${name} cannot be "sandbox" while SANDBOX is off`)
      return { authority: 'sandbox', profilesPath: tax.profilesPath }
    case 'nfse':
      return { ...tax, ...nationalSystemOf(tax, sandbox, taxId), authority: 'nfse' }
  }
}

function nationalSystemOf(tax: Tax, sandbox: boolean, taxId: string) {
  const because = `${TAX.authority.name} is nfse`
  const properties = ['certificatePath', 'profilesPath'] as const
  const { system } = allOf({
    system: () => needed(TAX, tax, { properties, because }),
    taxId: () => {
      if (normalizeCnpj(taxId) === null)
        throw new WrongSettings(`${ENTITY_BR.taxId.name} must be the CNPJ that issues (${because})`)
    },
    environment: () => {
      if (sandbox && tax.environment === 'production')
        throw new WrongSettings(
          `${TAX.environment.name} must be restricted in the sandbox: no real tax invoice is for a try`,
        )
    },
  })
  return system
}
