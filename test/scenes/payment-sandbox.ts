// The sandbox's payment provider behind a real HTTP server, the Stripe adapter that calls it, and a receiver of its events.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { listen } from '#test/harness/listen.ts'
import type { Timing } from '../../src/adapters/sandbox/payments/company.ts'
import { sandboxPaymentProvider, type SandboxPaymentProvider } from '../../src/adapters/sandbox/payments/provider.ts'
import { fromStripe } from '../../src/adapters/stripe/amounts.ts'
import { stripePayments } from '../../src/adapters/stripe/stripe.ts'

export const SECRET_KEY = 'sk_test_local'
export const WEBHOOK_SECRET = 'whsec_local'

export type ReceivedEvent = { path: string; headers: IncomingMessage['headers']; body: Buffer }

/** Short, since tests only need the gaps to grow. */
const QUICK: Timing = { retryGapsMs: [0, 20, 40], refundDelayMs: 30, timeoutMs: 60_000 }

export type PaymentSandbox = Awaited<ReturnType<typeof paymentSandbox>>

export async function paymentSandbox({ dataDir: given, ...timing }: Partial<Timing> & { dataDir?: string } = {}) {
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
      amountOf: fromStripe,
      timing: { ...QUICK, ...timing },
      onError: (error) => errors.push(error),
    })
  provider = open()
  await provider.start()

  return {
    dataDir,
    folder: join(dataDir, 'sandbox', 'stripe', 'br'),
    url: server.url,
    received,
    errors,
    payments: stripePayments({
      company: 'br',
      url: `${server.url}/sandbox/payments/br`,
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

export function pay(url: string, outcome: 'paid' | 'failed', headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams({ outcome }), redirect: 'manual', headers })
}

/** The signed events that were received. */
export const eventsOf = ({ received, payments }: PaymentSandbox) =>
  received.flatMap(({ headers, body }) => {
    const event = payments.readEvent(headers, body, new Date())
    return event.kind === 'unsigned' ? [] : [event]
  })

type Delivery = { attempts: number; delivered_at: string | null }

/** Read from the provider's files. */
export async function deliveriesOf({ folder }: PaymentSandbox): Promise<Delivery[]> {
  const names = (await readdir(folder)).filter((name) => /^(in|re)_\w+\.json$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap((text) => JSON.parse(text).deliveries)
}

/** Whether no event is left to send. */
export async function isAllDelivered(sandbox: PaymentSandbox): Promise<boolean> {
  const all = await deliveriesOf(sandbox)
  return all.length > 0 && all.every(({ delivered_at }) => delivered_at !== null)
}
