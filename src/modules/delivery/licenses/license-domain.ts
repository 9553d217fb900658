// The domain of a license (docs/licenses.md, Domains): a typed or copied address, reduced to its canonical host name.
import { isIP } from 'node:net'
import { invalid } from '#kernel/values/errors.ts'
import { type Fields, problemsIn } from '#kernel/values/validation/problems.ts'
import { isLocalName } from '#kernel/network/local-names.ts'

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const LONGEST = 253

/**
 * The host name in ASCII and lower case, without scheme, port, path, trailing dot and leading `www.`, so that each site
 * is one domain. Null when no host name is left.
 */
export function canonicalDomain(text: string): string | null {
  const address = text.trim().replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, '')
  const [authority = ''] = address.split(/[/?#\\]/, 1)
  // The URL parser would accept these: user names before the host, spaces, escapes.
  if (/[\s@%\p{Cc}]/u.test(authority) || !URL.canParse(`http://${authority}`)) return null
  const host = new URL(`http://${authority}`).hostname.replace(/\.$/, '')
  if (host.length > LONGEST || isIP(host) !== 0 || !host.split('.').every((label) => LABEL.test(label))) return null
  return withoutWww(host)
}

/** Only if a domain remains: `www.com` stays. */
const withoutWww = (host: string): string => host.replace(/^(www\.)+(?=[^.]+\.)/, '')

/** For input: 422 when it is not a host name. */
export function domainFrom(text: string): string {
  const domain = canonicalDomain(text)
  if (domain === null) throw invalid({ domain: 'must be a host name such as shop.acme.example' })
  return domain
}

export const domainRules = ({ domain }: { domain?: string }): Fields =>
  domain === undefined ? {} : problemsIn(() => domainFrom(domain))

/** The URL of an environment. */
export type EnvironmentUrl = { url: string; production: boolean }

/** Hosts of non-production environments, without those that a production environment shares, which take a slot. */
export function stagingHosts(hosted: readonly EnvironmentUrl[]): Set<string> {
  const hosts = (production: boolean) =>
    new Set(hosted.flatMap((one) => (one.production === production ? (canonicalDomain(one.url) ?? []) : [])))
  return hosts(false).difference(hosts(true))
}

/** Whether the domain takes no slot: it is local, or that of a non-production environment. */
export const isFree = (domain: string, hosted: readonly EnvironmentUrl[]): boolean =>
  isLocalName(domain) || stagingHosts(hosted).has(domain)
