// Connections to systems on the internet. Whatever a name resolves to, private addresses are refused: this machine, its
// network, and the metadata service of a cloud host.
import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { isLoopback, isPublicAddress } from '#kernel/network/addresses.ts'

type OutgoingOptions = {
  /** For the sandbox, where the other system may be an imitation on this machine. */
  loopback: boolean
  /** Finds the addresses of a name; the system's look-up when absent. */
  resolve?: typeof lookup
}

export class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is not a public address`)
  }
}

/**
 * An agent that checks every connection. It connects to the very address that was checked, so a name that resolves to
 * another address a moment later is harmless. A redirect is a new request and is checked again.
 */
export function guardedAgent({ connect, ...options }: Agent.Options, allowed: OutgoingOptions): Agent {
  const connector = buildConnector({ ...(typeof connect === 'object' && connect), lookup: guardedLookup(allowed) })
  return new Agent({
    ...options,
    connect(target, done) {
      const host = target.hostname.replace(/^\[|\]$/g, '')
      // A literal address is not looked up, so it is checked here.
      if (isIP(host) !== 0 && !isAllowed(host, allowed)) return done(new PrivateAddress(host), null)
      connector(target, done)
    },
  })
}

const isAllowed = (address: string, { loopback }: OutgoingOptions): boolean =>
  isPublicAddress(address) || (loopback && isLoopback(address))

/** Keeps the allowed addresses of a name; refuses a name that has none. */
export function guardedLookup(allowed: OutgoingOptions): LookupFunction {
  const { resolve = lookup } = allowed
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
