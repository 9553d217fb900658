// Classifies network addresses: loopback and public ones.
import ipaddr from 'ipaddr.js'

/** Takes a host name or address as in a URL or a `Host` header, without the port. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** The host of a URL, IPv6 without brackets; empty when the text is no URL. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '')

/** Not private, link-local, shared or reserved, nor such an IPv4 address mapped into IPv6. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}
