// The client of Stripe's library for one account: its own connections, a limit for answers, no redirects.
import type { Stripe } from 'stripe'
import { Agent, request } from 'undici'
import type { StripeAccount } from './api.ts'
import { API_VERSION, stripeLibrary } from './library.ts'

/** A list of 100 invoices, each with its first ten lines, is some 2 MB. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024

export function openClient({ secretKey, url, timeoutMs }: StripeAccount): Stripe {
  const Library = stripeLibrary()
  const { protocol, hostname, port } = new URL(url)
  return new Library(secretKey, {
    apiVersion: API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: timeoutMs,
    // Failed jobs are retried anyway, with the same idempotency keys.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Library.createFetchHttpClient(boundedFetch(url)),
  })
}

/**
 * No redirects, and a connection pool of its own; the library's signal ends the whole exchange with its body. The path
 * of the account's address is put before the path of the call, since the library takes only a host.
 */
function boundedFetch(url: string): typeof fetch {
  const base = url.replace(/\/+$/, '')
  const dispatcher = new Agent({ connections: 8, maxResponseSize: MAX_RESPONSE_BYTES })
  return async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const body = typeof init?.body === 'string' && init.body !== '' ? init.body : null
    const {
      statusCode,
      headers,
      body: content,
    } = await request(base + pathname + search, {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      body,
      dispatcher,
      signal: init?.signal ?? AbortSignal.timeout(60_000),
    })
    const requestId = headers['request-id']
    return new Response(await content.text(), {
      status: statusCode,
      headers: typeof requestId === 'string' ? { 'request-id': requestId } : {},
    })
  }
}
