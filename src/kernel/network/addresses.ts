// Classifies network addresses: loopback and public ones.
import ipaddr from 'ipaddr.js'

/** Takes a host name or address as in a URL or a `Host` header, without the port. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** The host of a URL, IPv6 without brackets; empty when the text is no URL. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '')

/** Not private, link-local, shared or reserved, nor such an IPv4 address in one of the forms that IPv6 has for it. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6, GLOBAL_IPV6_BITS))
}

/** The one range of IPv6 that is assigned to hosts; the rest has old forms such as `::7f00:1` for 127.0.0.1. */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::')
const GLOBAL_IPV6_BITS = 3
