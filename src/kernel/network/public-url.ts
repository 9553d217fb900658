// Which addresses of other systems customers may enter. What a name resolves to is checked at each connection
// (outgoing.ts); here only what is wrong whatever it resolves to.
import { isIP } from 'node:net'
import { hostOf, isLoopback, isPublicAddress } from './addresses.ts'
import { isLocalName } from './local-names.ts'

const FIRST_FREE_PORT = 1024

/**
 * A sentence for the field, or null. `loopback`: the sandbox, where the other system may be on this machine, without
 * TLS.
 */
export function urlProblem(text: string, loopback: boolean): string | null {
  if (!URL.canParse(text)) return 'must be an address such as https://acme.example/webhooks'
  const { protocol, username, password, port, hash } = new URL(text)
  const host = hostOf(text)
  const isHere = loopback && isLoopback(host)
  if (protocol !== 'https:' && !(isHere && protocol === 'http:')) return 'must begin with https://'
  if (username !== '' || password !== '') return 'must not contain credentials'
  if (hash !== '') return 'must not have a fragment'
  if (port !== '' && Number(port) < FIRST_FREE_PORT) return 'must be on port 443, or on one from 1024 on'
  if (isHere) return null
  if (isIP(host) !== 0 ? !isPublicAddress(host) : isLocalName(host)) return 'must be at a public address'
  return null
}
