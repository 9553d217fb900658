// Connections to systems on the internet: none to this machine, its network or its host's metadata, whatever a name resolves to.
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { isLoopback, isPublicAddress } from './addresses.ts'

/** In the sandbox, where the other side may be a stand-in on this machine. */
type Allowed = { loopback: boolean }

export class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`)
  }
}

/**
 * An agent whose every connection is checked. The address that was checked is the one connected to, so a name that resolves
 * otherwise a moment later changes nothing. Redirects come as new requests, hence as new connections.
 */
export function guardedAgent({ connect, ...options }: Agent.Options, allowed: Allowed): Agent {
  const connector = buildConnector({ ...(typeof connect === 'object' && connect), lookup: guardedLookup(allowed) })
  return new Agent({
    ...options,
    connect(target, done) {
      const host = target.hostname.replace(/^\[|\]$/g, '')
      // A literal address is never looked up.
      if (isIP(host) !== 0 && !isAllowed(host, allowed)) return done(new PrivateAddress(host), null)
      connector(target, done)
    },
  })
}

const isAllowed = (address: string, { loopback }: Allowed): boolean =>
  isPublicAddress(address) || (loopback && isLoopback(address))

/** Of the addresses of a name only the allowed ones; a name without any is refused. */
export function guardedLookup(allowed: Allowed, resolve: typeof lookup = lookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const kept = addresses.filter(({ address }) => isAllowed(address, allowed))
      const [one] = kept
      if (!one) return done(new PrivateAddress(host), '')
      return options.all ? done(null, kept) : done(null, one.address, one.family)
    })
  }
}
