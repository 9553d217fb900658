// The service's addresses, trusted proxies, allowed origins and rate limits.
import { flag, httpUrl, number, origins, proxies, rate, text } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

export const HTTP = {
  host: { name: 'HOST', meaning: 'Address to listen on', fallback: '127.0.0.1', read: text },
  port: { name: 'PORT', meaning: 'Port to listen on; 0 takes a free one', fallback: '3000', read: number(0, 65_535) },
  publicUrl: {
    name: 'PUBLIC_URL',
    meaning: 'How clients and mailed links reach the service; in the sandbox `http://{HOST}:{PORT}` when unset',
    read: httpUrl,
    required: true,
    visibleTo: 'areas',
  },
  requireIfMatch: {
    name: 'REQUIRE_IF_MATCH',
    meaning: '`1`: PUT, PATCH and DELETE of a record need `If-Match` with its `ETag` (428 without)',
    fallback: '0',
    read: flag,
    visibleTo: 'areas',
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    meaning: 'Origins of browsers that may call the API, by comma',
    fallback: '',
    read: origins,
  },
  trustedProxies: {
    name: 'TRUSTED_PROXIES',
    meaning: 'Addresses or ranges of the proxies whose X-Forwarded-For counts, by comma',
    fallback: '',
    read: proxies,
  },
} as const satisfies Variables

export const LIMITS = {
  credentials: {
    name: 'LIMIT_CREDENTIALS',
    meaning: 'Per address and account: sign-in, reset, verification, invite check; per address: tokens of API keys',
    fallback: '10/60',
    read: rate,
  },
  public: {
    name: 'LIMIT_PUBLIC',
    meaning: 'Per address: register, CNPJ check, license validation, verification of sites, public links of quotes',
    fallback: '60/60',
    read: rate,
  },
  reports: {
    name: 'LIMIT_REPORTS',
    meaning: 'Per address and per license key: reports of installed products',
    fallback: '600/60',
    read: rate,
  },
  requests: {
    name: 'LIMIT_REQUESTS',
    meaning: 'Per caller: every request with credentials, and everything else',
    fallback: '6000/60',
    read: rate,
  },
} as const satisfies Variables

/** The service's address on its own machine, whatever the public one is. */
export const localUrl = ({ host, port }: { host: string; port: number }): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** `isPublicUrlDerived`: PUBLIC_URL is unset, so that the address follows the port in use. */
export const addressesOf = (http: ValuesOf<typeof HTTP>) => ({
  publicUrl: http.publicUrl ?? localUrl(http),
  isPublicUrlDerived: http.publicUrl === null,
})
