// HTTP to the authority under mutual TLS. Its errors say whether nothing was sent, or whether that is unknown.
import { Agent, type Dispatcher, request } from 'undici'
import { TaxAnswerUnclear, TaxAuthorityUnavailable, TaxAuthorityUntrusted } from '#ports/tax-authority.ts'
import type { Certificate } from './certificate.ts'

export type AuthorityHttpOptions = {
  baseUrl: string
  /** The issuers of the authority's certificate (PEM), when the system's roots do not include them. */
  ca: string | null
  timeoutMs: number
  /** Told each time that the authority's certificate is not trusted. */
  onUntrusted?: ((error: TaxAuthorityUntrusted) => void) | undefined
}

/** `certificate`: null for the sandbox's own HTTP, which has no TLS. */
export type AuthorityCall = { path: string; certificate: Certificate | null } & (
  | { method: 'GET' }
  | { method: 'POST'; body: Readonly<Record<string, string>> }
)

export type AuthorityAnswer = { status: number; text: string }

export type AuthorityHttp = { send(call: AuthorityCall): Promise<AuthorityAnswer>; close(): Promise<void> }

const MAX_ANSWER_BYTES = 1024 * 1024

const anyOf = (...codes: string[]) => new RegExp(`^(${codes.join('|')})$`)

const BAD_CERTIFICATE = [
  'CERT_.*',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
]

/** Failures before the first byte of a request: no address, no connection, no trusted certificate. */
const NOTHING_SENT = anyOf(
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ECONNABORTED',
  'UND_ERR_CONNECT_TIMEOUT',
  'EPROTO',
  'ERR_(TLS|SSL|OSSL)_.*',
  'UNABLE_TO_.*',
  ...BAD_CERTIFICATE,
)

/** Nobody that is trusted vouches for the certificate, or it is for another name. */
const UNTRUSTED = anyOf('ERR_TLS_CERT_.*', 'UNABLE_TO_(GET_ISSUER|VERIFY_LEAF).*', ...BAD_CERTIFICATE)

/** Answers after which the authority has done nothing: no access, or too many requests. */
const NOTHING_DONE: ReadonlySet<number> = new Set([401, 403, 429])

/** Redirects are not followed. Connections are not kept alive, so that none is used that the server has just closed. */
export function authorityHttp({ baseUrl, ca, timeoutMs, onUntrusted }: AuthorityHttpOptions): AuthorityHttp {
  const agents = new Map<Certificate | null, Agent>()
  const agentFor = (certificate: Certificate | null): Agent => {
    const known = agents.get(certificate)
    if (known) return known
    const own = certificate && { key: certificate.keyPem, cert: certificate.chainPem }
    const tls = { ...own, ...(ca !== null && { ca }) }
    const agent = new Agent({
      connect: { ...tls, timeout: timeoutMs },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      maxResponseSize: MAX_ANSWER_BYTES,
      connections: 4,
      pipelining: 0,
    })
    agents.set(certificate, agent)
    return agent
  }
  return {
    async send(call) {
      try {
        return await send(agentFor(call.certificate), baseUrl, timeoutMs, call)
      } catch (error) {
        if (error instanceof TaxAuthorityUntrusted) onUntrusted?.(error)
        throw error
      }
    },
    async close() {
      for (const agent of agents.values()) await agent.destroy()
    },
  }
}

async function send(agent: Dispatcher, baseUrl: string, timeoutMs: number, call: AuthorityCall) {
  const body = call.method === 'POST' ? JSON.stringify(call.body) : null
  let answer: AuthorityAnswer
  try {
    const response = await request(baseUrl.replace(/\/+$/, '') + call.path, {
      method: call.method,
      headers: { accept: 'application/json', ...(body !== null && { 'content-type': 'application/json' }) },
      body,
      dispatcher: agent,
      // For the whole exchange, so that a slow body cannot exceed it.
      signal: AbortSignal.timeout(timeoutMs * 3),
    })
    answer = { status: response.statusCode, text: await response.body.text() }
  } catch (cause) {
    const code = codeOf(cause)
    if (UNTRUSTED.test(code))
      throw new TaxAuthorityUntrusted(
        `The certificate of the tax authority at ${new URL(baseUrl).host} is not trusted (${code}): see NFSE_BR_CA`,
        { cause },
      )
    const isHarmless = call.method === 'GET' || NOTHING_SENT.test(codeOf(cause))
    const sentence = `The tax authority gave no answer to ${call.method} ${call.path} (${codeOf(cause) || 'no code'})`
    throw isHarmless ? new TaxAuthorityUnavailable(sentence, { cause }) : new TaxAnswerUnclear(sentence, { cause })
  }
  if (NOTHING_DONE.has(answer.status))
    throw new TaxAuthorityUnavailable(`The tax authority did not take ${call.method} ${call.path} (${answer.status})`)
  return answer
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.name : codeOf(error.cause)
}
