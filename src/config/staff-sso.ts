// The OpenID provider by which the vendor's staff sign in.
import { needed } from './problems.ts'
import { domains, secureUrl, text } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const STAFF_SSO = {
  issuer: {
    name: 'STAFF_SSO_ISSUER',
    meaning:
      'The OpenID provider by which staff sign in (https outside the loopback); its redirect URI is ' +
      '`PUBLIC_URL` with `/sso`',
    read: secureUrl,
  },
  clientId: { name: 'STAFF_SSO_CLIENT_ID', meaning: 'The service’s client id at that provider', read: text },
  clientSecret: {
    name: 'STAFF_SSO_CLIENT_SECRET',
    meaning: 'The service’s client secret at that provider',
    read: text,
    secret: true,
  },
  domains: {
    name: 'STAFF_SSO_DOMAINS',
    meaning: 'The domains of the addresses that it signs in, by comma',
    read: domains,
  },
} as const satisfies Variables

export type StaffProvider = { issuer: string; clientId: string; clientSecret: string; domains: string[] } | null

export function staffProviderOf(values: ValuesOf<typeof STAFF_SSO>): StaffProvider {
  if (values.issuer === null) return null
  const properties = ['issuer', 'clientId', 'clientSecret', 'domains'] as const
  return needed(STAFF_SSO, values, { properties, because: 'STAFF_SSO_ISSUER is set' })
}
