// The proof as a file, at the domain or at its `www.`, which is the same site (docs/licenses.md, Domains).
import type { lookup, LookupAddress } from 'node:dns'
import { callbackify } from 'node:util'
import { type Agent, request } from 'undici'
import { guardedAgent } from '#ports/outgoing.ts'
import { PROOF_FILE_PATH, type ProofOutcome } from '#ports/site-proofs.ts'
import type { Search, WebPorts } from './site-proofs.ts'

const MAX_BYTES = 64 * 1024
/** The outcome that says most, of the addresses that were asked; many servers redirect from HTTP and from one host. */
const PRECEDENCE: readonly ProofOutcome[] = ['proven', 'wrong_value', 'not_found', 'redirected']

/** HTTP too, since whoever has no certificate yet can prove a domain as well. */
export async function findFile(search: Search, domain: string, proof: string): Promise<ProofOutcome> {
  // For this look only: the next one connects anew, to addresses that are checked anew.
  const agent = guardedAgent(
    { connections: 1, maxResponseSize: MAX_BYTES },
    { loopback: search.loopback, resolve: resolveWith(search) },
  )
  try {
    const asked = addressesOf(domain, search.ports).map((url) => read(agent, url, { proof, signal: search.signal }))
    const outcomes = await Promise.all(asked)
    return PRECEDENCE.find((one) => outcomes.includes(one)) ?? 'unreachable'
  } finally {
    await agent.destroy()
  }
}

const addressesOf = (domain: string, { https, http }: WebPorts): string[] =>
  [domain, `www.${domain}`].flatMap((host) => [
    `https://${host}:${https}${PROOF_FILE_PATH}`,
    `http://${host}:${http}${PROOF_FILE_PATH}`,
  ])

type ExpectedProof = { proof: string; signal: AbortSignal }

async function read(dispatcher: Agent, url: string, { proof, signal }: ExpectedProof): Promise<ProofOutcome> {
  try {
    const { statusCode, body } = await request(url, { dispatcher, signal, headers: { accept: 'text/plain' } })
    if (statusCode === 200) return hasLine(await body.text(), proof) ? 'proven' : 'wrong_value'
    await body.dump()
    if (statusCode >= 300 && statusCode < 400) return 'redirected'
    return statusCode >= 400 && statusCode < 500 ? 'not_found' : 'unreachable'
  } catch {
    return 'unreachable'
  }
}

/** A line for each organization, where several list the domain. */
const hasLine = (text: string, proof: string): boolean => text.split(/\r?\n/).some((line) => line.trim() === proof)

/**
 * By the name servers of the search. The system's own look-up would run in one of the few threads that the process has
 * for files and hashes too, for as long as a slow name server likes.
 */
function resolveWith({ resolver }: Search): typeof lookup {
  const addressesOfHost = callbackify(async (host: string): Promise<LookupAddress[]> => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (found.length === 0) throw new Error(`${host} has no address`)
    return found
  })
  type Done = (error: Error | null, found: LookupAddress[]) => void
  const resolve = (host: string, _options: object, done: Done) => addressesOfHost(host, done)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one form that is called
  return resolve as unknown as typeof lookup
}
