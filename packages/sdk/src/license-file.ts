// Verifies a license file without a network: a JSON web signature by Ed25519, with the public keys that ship with the
// product (`/.well-known/license-keys.json`).
import { base64Bytes, utf8 } from './bytes.ts'
import { TitularError } from './errors.ts'

export type LicenseClaims = {
  iss: string
  /** The id of the license. */
  sub: string
  iat: number
  /** The file is valid until then, in seconds. */
  exp: number
  license_key: string
  product_name: string
  entitlement_code: string
  activations_limit: number | null
  /** Where the product may run. */
  domains: string[]
  license_expires_at: string | null
}

export type LicenseProblem = 'malformed' | 'unknown_key' | 'signature' | 'expired' | 'domain'

export class LicenseFileError extends TitularError {
  override readonly name = 'LicenseFileError'
  readonly problem: LicenseProblem

  constructor(problem: LicenseProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

export type LicenseCheck = {
  /** The content of `license-keys.json`. */
  keys: { readonly keys: readonly PublicKey[] }
  /** Where the product runs; in any form that a browser takes. */
  domain?: string | undefined
  now?: (() => number) | undefined
}
type PublicKey = { readonly kid?: string; readonly kty?: string; readonly crv?: string; readonly x?: string }

const ED25519 = { name: 'Ed25519' }

/** The claims of a genuine file that has not expired and holds for the domain; else a `LicenseFileError`. */
export async function verifyLicenseFile(content: string, check: LicenseCheck): Promise<LicenseClaims> {
  const { keys, domain, now = Date.now } = check
  const [head = '', payload = '', signature = '', ...rest] = content.trim().split('.')
  const header = jsonOf(head)
  const bytes = base64Bytes(signature)
  if (header?.['alg'] !== 'EdDSA' || header['typ'] !== 'titular-license' || !bytes || rest.length > 0)
    throw new LicenseFileError('malformed', 'This is no license file')
  const key = keys.keys.find(({ kid }) => kid === header['kid'])
  if (!key?.x)
    throw new LicenseFileError('unknown_key', 'The file is signed with a key that is not among the public keys')
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.x }
  const imported = await crypto.subtle.importKey('jwk', jwk, ED25519, false, ['verify'])
  const isGenuine = await crypto.subtle.verify(ED25519, imported, bytes, utf8(`${head}.${payload}`))
  const claims = isGenuine ? jsonOf(payload) : null
  if (!claims || !isLicense(claims)) throw new LicenseFileError('signature', 'The signature of the file is wrong')
  if (now() >= claims.exp * 1000) throw new LicenseFileError('expired', 'The file has expired: get a new one')
  if (domain !== undefined && !claims.domains.includes(hostOf(domain)))
    throw new LicenseFileError('domain', `The license does not hold for ${hostOf(domain)}: activate it there`)
  return claims
}

function jsonOf(part: string): Record<string, unknown> | null {
  const bytes = base64Bytes(part)
  try {
    const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch {
    return null
  }
}

const isLicense = (claims: Record<string, unknown> | LicenseClaims): claims is LicenseClaims =>
  typeof claims['exp'] === 'number' && Array.isArray(claims['domains'])

/** The host name as the service counts it: without `www.`, port and path, as name servers have it. */
function hostOf(domain: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(domain) ? domain : `https://${domain}`
  const host = URL.canParse(address) ? new URL(address).hostname : domain
  return host.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '')
}
