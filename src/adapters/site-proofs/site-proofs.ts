// Looks for proofs on the internet: a TXT record through the name servers, and a file over HTTPS or HTTP. The domain is
// what a customer typed, so that every answer may be hostile: only public addresses are connected to, on the two ports
// of the web, nothing is followed, and time and size are bounded.
import { Resolver } from 'node:dns/promises'
import { bulkhead } from 'cockatiel'
import type { FoundProof, SiteProofs } from '#ports/site-proofs.ts'
import { findFile } from './find-file.ts'
import { findRecord } from './find-record.ts'

export type SiteProofOptions = {
  /** Addresses of name servers, with a port where it is not 53; the system's when empty. */
  nameServers: readonly string[]
  /** Whether the loopback may be connected to, for the sandbox and tests; other private addresses never are. */
  loopback?: boolean
  /** For tests, whose servers cannot have the ports of the web. */
  ports?: WebPorts
  /** The limit for the look at one domain. */
  timeoutMs?: number
  /** Domains at a time; as many wait, the others are unreachable at once. */
  concurrency?: number
}
export type WebPorts = { https: number; http: number }

/** What the two searches share. */
export type Search = { resolver: Resolver; signal: AbortSignal; loopback: boolean; ports: WebPorts }

const DNS_TRIES = 3

export function createSiteProofs(options: SiteProofOptions): SiteProofs {
  const { nameServers, loopback = false, ports = { https: 443, http: 80 } } = options
  const { timeoutMs = 10_000, concurrency = 16 } = options
  const crowd = bulkhead(concurrency, concurrency)

  async function find(domain: string, proof: string): Promise<FoundProof> {
    // One for each look, so that ending one look ends no other's questions.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / DNS_TRIES / 2), tries: DNS_TRIES })
    if (nameServers.length > 0) resolver.setServers(nameServers)
    const signal = AbortSignal.timeout(timeoutMs)
    signal.addEventListener('abort', () => resolver.cancel())
    const search = { resolver, signal, loopback, ports }
    const [dns, file] = await Promise.all([findRecord(search, domain, proof), findFile(search, domain, proof)])
    return { dns, file }
  }
  const unreachable: FoundProof = { dns: 'unreachable', file: 'unreachable' }
  return { find: (domain, proof) => crowd.execute(() => find(domain, proof)).catch(() => unreachable) }
}
