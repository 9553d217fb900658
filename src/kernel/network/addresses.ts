// Classifies network addresses: loopback and public ones.
import ipaddr from 'ipaddr.js'

/** Takes a host name or address as in a URL or a `Host` header, without the port. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** The host of a URL, IPv6 without brackets; empty when the text is no URL. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '')

/** The address as PostgreSQL reads it, IPv4 also where it is written as IPv6; null for what is none. */
export function plainAddress(address: string): string | null {
  const bare = address.replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null
}

/** An address or a CIDR range, normalized; null for anything else, and for a range with bits beyond its length. */
export function networkOf(text: string): string | null {
  const [address = '', length, ...more] = text.split('/')
  const isWritten =
    ipaddr.IPv4.isValidFourPartDecimal(address) || (ipaddr.IPv6.isValid(address) && !address.includes('%'))
  if (!isWritten || more.length > 0) return null
  if (length === undefined) return ipaddr.process(address).toString()
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || !ipaddr.isValidCIDR(text)) return null
  const [parsed, bits] = ipaddr.parseCIDR(text)
  // Requests from such addresses count as IPv4.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) return null
  const first =
    parsed instanceof ipaddr.IPv4 ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  return first.toString() === parsed.toString() ? `${parsed.toString()}/${bits}` : null
}

/** Whether all addresses of the one are of the other; both as `networkOf` gives them. */
export function isWithin(network: string, other: string): boolean {
  const [[inner, length], [outer, bits]] = [rangeOf(network), rangeOf(other)]
  if (length < bits) return false
  if (inner instanceof ipaddr.IPv4) return outer instanceof ipaddr.IPv4 && inner.match(outer, bits)
  return outer instanceof ipaddr.IPv6 && inner.match(outer, bits)
}

function rangeOf(network: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (network.includes('/')) return ipaddr.parseCIDR(network)
  const address = ipaddr.parse(network)
  return [address, address instanceof ipaddr.IPv4 ? 32 : 128]
}

/** Not private, link-local, shared or reserved, nor such an IPv4 address in one of the forms that IPv6 has for it. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6, GLOBAL_IPV6_BITS))
}

/** The one range of IPv6 that is assigned to hosts; the rest has old forms such as `::7f00:1` for 127.0.0.1. */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::')
const GLOBAL_IPV6_BITS = 3
