// Network addresses: which are this machine's own, and which anybody on the internet may have.
import ipaddr from 'ipaddr.js'

/** A host name or address as it stands in a URL or a `Host` header, without its port. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** The host of an address, IPv6 without its brackets; empty when it is none. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '')

/** Reachable from anywhere: not private, link-local, shared, reserved, nor one of them in an IPv6 form. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}
