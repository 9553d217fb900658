// For tests: the provider behind a real HTTP server, and a service that receives its events.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { CheckoutRequest } from '#ports/payments.ts'
import { sandboxPayments } from './client.ts'
import { sandboxPaymentProvider, type SandboxPaymentProvider } from './provider.ts'
import type { Timing } from './company.ts'

export const SECRET_KEY = 'sk_test_local'
export const WEBHOOK_SECRET = 'whsec_local'

export type ReceivedEvent = { path: string; headers: IncomingMessage['headers']; body: Buffer }

/** Quick enough for tests; the order of the gaps is the point, not their length. */
const QUICK: Timing = { retryGapsMs: [0, 20, 40], refundDelayMs: 30, timeoutMs: 60_000 }

export type LocalWorld = Awaited<ReturnType<typeof localWorld>>

export async function localWorld({ dataDir: given, ...timing }: Partial<Timing> & { dataDir?: string } = {}) {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'sandbox-payments-')))
  const received: ReceivedEvent[] = []
  const errors: unknown[] = []
  let statusOfWebhook = 200
  let provider: SandboxPaymentProvider | null = null

  const server = await listen(async (incoming, outgoing) => {
    const path = incoming.url ?? ''
    const body = await buffer(incoming)
    if (path.startsWith('/api/')) {
      received.push({ path, headers: incoming.headers, body })
      outgoing.writeHead(statusOfWebhook).end()
      return
    }
    const exchange = { method: incoming.method ?? '', path, headers: incoming.headers, body }
    const answer = await provider?.handle(exchange)
    outgoing.writeHead(answer?.status ?? 503, answer?.headers).end(answer?.body)
  })

  const open = () =>
    sandboxPaymentProvider({
      companies: { br: { seller: 'Titular <BR>', secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET } },
      dataDir,
      publicUrl: server.url,
      timing: { ...QUICK, ...timing },
      onError: (error) => errors.push(error),
    })
  provider = open()
  await provider.start()

  return {
    dataDir,
    folder: join(dataDir, 'sandbox', 'payments', 'br'),
    url: server.url,
    received,
    errors,
    payments: sandboxPayments({
      company: 'br',
      baseUrl: `${server.url}/sandbox/payments/br`,
      secretKey: SECRET_KEY,
      webhookSecrets: ['whsec_older', WEBHOOK_SECRET],
      livemode: false,
    }),
    answerEventsWith(status: number) {
      statusOfWebhook = status
    },
    async restart() {
      await provider?.stop()
      provider = open()
      await provider.start()
    },
    async stopProvider() {
      await provider?.stop()
    },
    async startProvider() {
      await provider?.start()
    },
    async [Symbol.asyncDispose]() {
      await provider?.stop()
      await server.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function listen(listener: RequestListener | ((...args: Parameters<RequestListener>) => Promise<void>)) {
  const server: Server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function checkoutRequest(changes: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    idempotencyKey: 'invoice 12 checkout',
    organizationId: 7,
    organizationName: 'Ação & Filhos',
    organizationEmail: 'finance@example.com',
    organizationCnpj: null,
    customer: null,
    orderId: 11,
    invoiceId: 12,
    invoiceNumber: 'INV-2026-00012',
    amount: '150.50',
    currency: 'BRL',
    daysUntilDue: 7,
    lines: [
      { description: 'Moodle <hosting>', quantity: 1, unitPrice: '100.50', total: '100.50' },
      { description: 'Training', quantity: 2, unitPrice: '25.00', total: '50.00' },
    ],
    ...changes,
  }
}

export function pay(url: string, outcome: 'paid' | 'failed', headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual', headers })
}
