// The sandbox payment provider: replaces Stripe, with its own state, over its own HTTP.
import { join } from 'node:path'
import type { Agent } from 'undici'
import { answerApi, json } from './api.ts'
import { planner, type Company, type Timing } from './company.ts'
import type { Answer, Exchange } from './exchange.ts'
import { answerMethodsPage } from './methods-page.ts'
import { answerPayPage } from './pay-page.ts'
import { recordStore } from './record-store.ts'
import { schedule } from './schedule.ts'

export type SandboxPaymentProviderOptions = {
  /** By the company's name in the URLs, such as `br`. */
  companies: Readonly<Record<string, { seller: string; secretKey: string; webhookSecret: string }>>
  /** State is kept under `<dataDir>/sandbox/stripe/<company>/`. One process at a time. */
  dataDir: string
  publicUrl: string
  /** The address that events are sent to, when it is not the public URL. */
  serviceUrl?: string
  /** Stripe's minor units, which are ISO's but for a few currencies, as a decimal string. */
  amountOf: Company['amountOf']
  timing?: Partial<Timing>
  onError?: (error: unknown, about: string) => void
}

/**
 * `handle` answers requests below the public URL:
 * - `/sandbox/payments/<company>/v1/…`: the calls of Stripe's API that api.ts lists, with the secret key;
 * - `/sandbox/pay/<company>/<id>`: the pay page, GET and POST.
 * Events are sent and refunds confirmed only between `start` and `stop`; before and after they wait in their files.
 */
export type SandboxPaymentProvider = {
  handle(exchange: Exchange): Promise<Answer>
  start(): Promise<void>
  stop(): Promise<void>
}

const TIMING: Timing = {
  retryGapsMs: [0, 1_000, 5_000, 30_000, 5 * 60_000, 10 * 60_000],
  refundDelayMs: 1_000,
  timeoutMs: 10_000,
}

export function sandboxPaymentProvider(options: SandboxPaymentProviderOptions): SandboxPaymentProvider {
  const report = options.onError ?? (() => undefined)
  const later = schedule(report)
  let agent: Promise<Agent> | null = null
  const plan = (company: Company) => planner(company, later, () => (agent ??= openAgent()))
  const companies = new Map(
    Object.entries(options.companies).map(([name, account]) => [
      name,
      openCompany(options, { ...account, name }, plan),
    ]),
  )
  return {
    async handle(exchange) {
      try {
        return await route(companies, exchange)
      } catch (error) {
        report(error, `${exchange.method} ${exchange.path}`)
        return json(500, JSON.stringify({ error: { type: 'api_error', message: 'An unknown error occurred.' } }))
      }
    },
    async start() {
      later.start()
      for (const company of companies.values()) await resume(company, report)
    },
    async stop() {
      await later.stop()
      await (await agent)?.destroy()
      agent = null
    },
  }
}

const openAgent = async (): Promise<Agent> => new (await import('undici')).Agent()

type Account = Pick<Company, 'name' | 'seller' | 'secretKey' | 'webhookSecret'>

function openCompany(
  options: SandboxPaymentProviderOptions,
  account: Account,
  plan: (company: Company) => Company['wake'],
): Company {
  const { name } = account
  const publicUrl = options.publicUrl.replace(/\/+$/, '')
  const serviceUrl = (options.serviceUrl ?? publicUrl).replace(/\/+$/, '')
  const company: Company = {
    ...account,
    webhookUrl: `${serviceUrl}/api/v1/webhooks/payment/${name}`,
    amountOf: options.amountOf,
    payUrl: (id) => `${publicUrl}/sandbox/pay/${name}/${id}`,
    store: recordStore(join(options.dataDir, 'sandbox', 'stripe', name)),
    timing: { ...TIMING, ...options.timing },
    wake: (record) => plan(company)(record),
  }
  return company
}

async function route(companies: ReadonlyMap<string, Company>, exchange: Exchange): Promise<Answer> {
  const path = exchange.path.split('?')[0] ?? ''
  const [, area, name = '', rest = ''] = /^\/sandbox\/(payments|pay)\/([^/]+)(\/.*)$/.exec(path) ?? []
  const company = companies.get(name)
  if (!company) return json(404, JSON.stringify({ error: { type: 'invalid_request_error', message: 'Not found.' } }))
  if (area !== 'pay') return answerApi(company, exchange, rest)
  const id = rest.slice(1)
  return id.startsWith('cus_') ? answerMethodsPage(company, exchange, id) : answerPayPage(company, exchange, id)
}

/** Under the lock, so that no half-written record is read. An unreadable file is reported and skipped. */
async function resume(company: Company, report: (error: unknown, about: string) => void): Promise<void> {
  await company.store.exclusively(async () => {
    await company.store.tidy()
    for (const id of await company.store.ids()) {
      try {
        const record = await company.store.read(id)
        if (record) company.wake(record)
      } catch (error) {
        report(error, id)
      }
    }
  })
}
