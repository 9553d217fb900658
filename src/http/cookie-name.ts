// The name of a cookie. Under TLS it has the prefix `__Host-`: a browser takes such a cookie only over TLS and from
// this very host, so that no page of another host below the same domain, and nobody on the network, can set one.
import type { Cookie } from './route.ts'

export const isUnderTls = (publicUrl: string): boolean => publicUrl.startsWith('https:')

export const cookieName = (name: Cookie['name'], publicUrl: string): string =>
  isUnderTls(publicUrl) ? `__Host-${name}` : name

/** Of a `Cookie` header, by the exact name under which the service sets it. */
export function readCookie(header: string | undefined, name: Cookie['name'], publicUrl: string): string | undefined {
  const wanted = cookieName(name, publicUrl)
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='))
  return pairs.find(([key]) => key === wanted)?.[1]
}
