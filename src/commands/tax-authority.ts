// The tax authority of the legal entity in Brazil, and the municipal parameters: the national NFS-e, the sandbox or
// none.
import { readFile } from 'node:fs/promises'
import { onFirstUse } from '#kernel/values/on-first-use.ts'
import { normalizeCnpj } from '#ports/cnpj.ts'
import type { MunicipalParameters } from '#ports/municipal-parameters.ts'
import type { FiscalProfile } from '#ports/fiscal-profiles.ts'
import type { TaxAuthority } from '#ports/tax-authority.ts'
import type { Certificate } from '../adapters/nfse/certificate.ts'
import { readPaths } from '../adapters/nfse/paths.ts'
import { readProfiles } from '../adapters/nfse/profiles.ts'
import type { SandboxTaxAuthority } from '../adapters/sandbox/tax/authority.ts'
import { outcomeOf } from '../adapters/sandbox/tax/rules.ts'
import { SANDBOX_PROFILE } from '../adapters/sandbox/tax/profiles.ts'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import { WrongSettings } from '#config/problems.ts'
import type { TaxChoice } from '#config/tax.ts'
import type { VariableName } from '#config/variables.ts'

type TaxAuthorityOptions = {
  config: Config
  clock?: (() => Date) | undefined
  onUntrusted?: ((error: Error) => void) | undefined
}

export async function taxAuthorityOf(
  { config, clock = () => new Date(), onUntrusted }: TaxAuthorityOptions,
  sandbox: SandboxTaxAuthority | null,
): Promise<TaxAuthority | null> {
  const { tax: choice } = config
  if (choice.authority === 'none') return null
  if (choice.authority === 'nfse') return nationalSystem(choice, { config, clock, onUntrusted })
  if (!sandbox) return null
  return loadedOnFirstUse(async () => {
    const { createNfse } = await import('../adapters/nfse/nfse.ts')
    return createNfse({
      baseUrl: `${localUrl(config)}/sandbox/tax`,
      environment: 'restricted',
      certificate: () => sandbox.taxpayer().then((pair) => sandboxCertificate(pair)),
      recipients: 'as-known',
      complement: ({ recipient }) => outcomeOf(recipient.parameters),
      now: clock,
    })
  })
}

/** The sandbox answers without TLS; its code and the adapter are loaded with the first question. */
export async function municipalParametersOf({
  config,
  clock = () => new Date(),
}: TaxAuthorityOptions): Promise<MunicipalParameters | null> {
  const { tax: choice } = config
  if (choice.authority === 'none') return null
  const opened = onFirstUse(async () => {
    const { PARAMETERS_URLS, createMunicipalParameters } = await import('../adapters/nfse/municipal-parameters.ts')
    if (choice.authority === 'sandbox')
      return createMunicipalParameters({
        baseUrl: `${localUrl(config)}/sandbox/tax/parametrizacao`,
        certificate: () => Promise.resolve(null),
      })
    const { usable } = await import('../adapters/nfse/usable-certificate.ts')
    const certificate = await certificateAt(choice.certificatePath, choice.certificatePassword, clock())
    return createMunicipalParameters({
      baseUrl: choice.parametersUrl ?? PARAMETERS_URLS[choice.environment],
      certificate: async () => usable(certificate, clock()),
      ca: choice.caPath === null ? null : await authoritiesAt(choice.caPath),
    })
  })
  return { ask: async (question) => (await opened()).ask(question) }
}

/** Loads the adapter on first use: its libraries for XML and certificates cost a seventh of a second and 25 MB. */
function loadedOnFirstUse(open: () => Promise<TaxAuthority>): TaxAuthority {
  const loaded = onFirstUse(open)
  return {
    prepare: async (declaration, profile) => (await loaded()).prepare(declaration, profile),
    issue: async (prepared) => (await loaded()).issue(prepared),
    find: async (declarationId) => (await loaded()).find(declarationId),
    isOf: async (issued, prepared) => (await loaded()).isOf(issued, prepared),
    cancel: async (request) => (await loaded()).cancel(request),
  }
}

async function nationalSystem(
  choice: Extract<TaxChoice, { authority: 'nfse' }>,
  { config, clock, onUntrusted }: TaxAuthorityOptions & { clock: () => Date },
): Promise<TaxAuthority> {
  const { PRODUCTION_URL, RESTRICTED_URL, createNfse } = await import('../adapters/nfse/nfse.ts')
  const certificate = await certificateAt(choice.certificatePath, choice.certificatePassword, clock())
  assertHolder(certificate, config.entities.entity_br.taxId)
  return createNfse({
    baseUrl: choice.url ?? (choice.environment === 'production' ? PRODUCTION_URL : RESTRICTED_URL),
    paths: named('NFSE_BR_PATHS', () => readPaths(choice.paths)),
    environment: choice.environment,
    certificate: () => Promise.resolve(certificate),
    ca: choice.caPath === null ? null : await authoritiesAt(choice.caPath),
    signature: choice.signature,
    onUntrusted,
    now: clock,
  })
}

type KeyPair = Awaited<ReturnType<SandboxTaxAuthority['taxpayer']>>

const sandboxCertificate = ({ keyPem, certificatePem, validFrom, validTo }: KeyPair): Certificate => ({
  keyPem,
  certificatePem,
  chainPem: certificatePem,
  subject: 'sandbox',
  cnpj: null,
  validFrom,
  validTo,
})

/** The first values of the setting `fiscal_profiles`. */
export async function firstProfilesOf({ tax: choice }: Config): Promise<FiscalProfile[]> {
  if (choice.authority === 'none') return []
  return choice.profilesPath === null ? [SANDBOX_PROFILE] : profilesAt(choice.profilesPath)
}

async function profilesAt(path: string): Promise<FiscalProfile[]> {
  const text = (await fileAt('NFSE_BR_PROFILES', path)).toString('utf8')
  return named('NFSE_BR_PROFILES', () => readProfiles(text))
}

async function certificateAt(path: string, password: string, now: Date): Promise<Certificate> {
  const { readCertificate } = await import('../adapters/nfse/certificate.ts')
  const file = await fileAt('NFSE_BR_CERTIFICATE', path)
  return named('NFSE_BR_CERTIFICATE', () => readCertificate(file, password, now))
}

async function authoritiesAt(path: string): Promise<string> {
  const text = (await fileAt('NFSE_BR_CA', path)).toString('utf8')
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new WrongSettings('NFSE_BR_CA holds no certificate in PEM')
  return text
}

/** The signer must be the issuer: the first eight positions are the company's, the others its branch's. */
function assertHolder({ cnpj }: Certificate, taxId: string): void {
  const own = normalizeCnpj(taxId)
  if (cnpj !== null && own !== null && cnpj.slice(0, 8) !== own.slice(0, 8))
    throw new WrongSettings('NFSE_BR_CERTIFICATE belongs to another company than ENTITY_BR_TAX_ID')
}

async function fileAt(setting: VariableName, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new WrongSettings(`${setting} names a file that cannot be read (${code})`)
  }
}

/** Turns an error of a setting's file or text into one line that begins with the setting's name. */
function named<T>(setting: VariableName, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new WrongSettings(`${setting} ${error instanceof Error ? error.message : 'is wrong'}`)
  }
}
