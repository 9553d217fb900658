// The tax authority of Brazil: the national NFS-e, with the layout of the fiscal profile, signed declarations, mutual
// TLS. After a request without a clear answer, the port's errors say whether it may be sent again.
import { type FiscalProfile } from '#ports/fiscal-profiles.ts'
import { type PreparedDeclaration, type TaxAuthority, type TaxDeclaration } from '#ports/tax-authority.ts'
import { cancel } from './cancellation.ts'
import type { Certificate } from './certificate.ts'
import { declarationValues } from './declaration.ts'
import { authorityHttp } from './http.ts'
import { find, issue } from './issuing.ts'
import { layoutOf } from './layouts.ts'
import { type Paths, PATHS } from './paths.ts'
import { isOfDeclaration } from './results.ts'
import type { RecipientRule } from './recipient.ts'
import { type SignatureMethod, signXml } from './signature.ts'
import { usable } from './usable-certificate.ts'
import { writeXml } from './xml-writer.ts'
import type { Authority } from './authority.ts'

export type NfseOptions = {
  baseUrl: string
  paths?: Partial<Paths>
  environment: 'production' | 'restricted'
  /** Called on first use. */
  certificate: () => Promise<Certificate>
  ca?: string | null
  signature?: SignatureMethod
  recipients?: RecipientRule
  /** Informational text of a declaration. */
  complement?: (declaration: TaxDeclaration) => string | null
  timeoutMs?: number
  onUntrusted?: ((error: Error) => void) | undefined
  now?: () => Date
}

export const PRODUCTION_URL = 'https://sefin.nfse.gov.br/SefinNacional'
export const RESTRICTED_URL = 'https://sefin.producaorestrita.nfse.gov.br/SefinNacional'

const APPLICATION = 'Titular'
const TIMEOUT_MS = 10_000

export function createNfse(options: NfseOptions): TaxAuthority & { close(): Promise<void> } {
  const { baseUrl, ca = null, timeoutMs = TIMEOUT_MS, now = () => new Date() } = options
  const http = authorityHttp({ baseUrl, ca, timeoutMs, onUntrusted: options.onUntrusted })
  const authority: Authority = {
    paths: { ...PATHS, ...options.paths },
    environment: options.environment === 'production' ? '1' : '2',
    application: APPLICATION,
    http,
    certificate: async () => usable(await options.certificate(), now()),
    sign: (xml, element, certificate) => signXml(xml, element, certificate, options.signature ?? 'sha256'),
  }
  return {
    prepare: (declaration, profile) => prepare(authority, options, declaration, profile),
    issue: (prepared) => issue(authority, prepared),
    find: (declarationId) => find(authority, declarationId),
    isOf: (issued, prepared) => Promise.resolve(isOfDeclaration(issued.xml, prepared.xml)),
    cancel: (request) => cancel(authority, request),
    close: () => http.close(),
  }
}

async function prepare(
  authority: Authority,
  { recipients = 'whole', complement }: NfseOptions,
  declaration: TaxDeclaration,
  profile: FiscalProfile,
): Promise<PreparedDeclaration> {
  const layout = layoutOf(profile.layout)
  const { environment, application } = authority
  const context = { environment, application, recipients, complement: complement?.(declaration) ?? null }
  const { id, values } = declarationValues(declaration, profile, context)
  const xml = writeXml({ ...layout, ...layout.declaration, id, values })
  return { id, xml: authority.sign(xml, 'infDPS', await authority.certificate()) }
}
