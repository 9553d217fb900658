// Stripe for the tests of its adapter: the sandbox's payment provider over real HTTP, whose records a test can read and change,
// and whose failures it can cause.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from '#test/harness/listen.ts'
import { answerApi, json } from '../../src/adapters/sandbox/payments/api.ts'
import { missing } from '../../src/adapters/sandbox/payments/api-call.ts'
import { API_VERSION } from '../../src/adapters/sandbox/payments/records.ts'
import { stripeSignature } from '../../src/adapters/sandbox/payments/signature.ts'
import { newId, stripeAccount } from './stripe-account.ts'
import { answerInTrouble, type Trouble } from './stripe-troubles.ts'

export type Asked = {
  method: string
  path: string
  form: Record<string, string>
  headers: IncomingMessage['headers']
}

export type StripeStandIn = Awaited<ReturnType<typeof stripeStandIn>>

export async function stripeStandIn() {
  const asked: Asked[] = []
  const troubles = troublesToCome()
  const forgotten = { intents: new Set<string>(), keys: 0 }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const { method = '', url = '', headers } = incoming
    const { pathname: path, searchParams } = new URL(url, 'http://stripe')
    const call = { method, path, form: Object.fromEntries(new URLSearchParams(body.toString())), headers }
    asked.push(call)
    const trouble = troubles.of(call)
    if (trouble === 'late') await troubles.isOver()
    else if (trouble !== null && trouble !== 'lost') return answerInTrouble(trouble, outgoing)
    const intents = [path.split('/').at(-1), searchParams.get('payment_intent'), call.form['payment_intent']]
    const intent = intents.find((one) => one && forgotten.intents.has(one))
    const { status, body: answer } = intent
      ? json(404, JSON.stringify({ error: missing('payment_intent', intent).fault }))
      : await answerApi(account.company, { method, path: url, headers: otherKey(headers, forgotten.keys), body }, path)
    if (trouble === 'lost') return answerInTrouble(trouble, outgoing)
    outgoing.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') }).end(answer)
  }
  const server = await listen(serve)
  const account = stripeAccount(() => server.url)
  const { company, pay, renew, dispute, closeDispute } = account

  return {
    url: server.url,
    secretKey: company.secretKey,
    webhookSecret: company.webhookSecret,
    asked,
    get customers() {
      return account.customers()
    },
    get taxIds() {
      return account.taxIds()
    },
    get invoices() {
      return account.invoices()
    },
    get refunds() {
      return account.refunds()
    },
    get subscriptions() {
      return account.subscriptions()
    },
    get disputes() {
      return account.disputes()
    },
    /** Payments that Stripe does not show. */
    intents: { delete: (id: string) => void forgotten.intents.add(id) },
    pay,
    renew,
    dispute,
    closeDispute,
    getIntoTrouble: troubles.add,
    recover: troubles.clear,
    /** Answers the calls that are late. */
    letGo: troubles.letGo,
    /** Forgets the idempotency keys, as Stripe does after a day. */
    forgetKeys: () => void (forgotten.keys += 1),
    event: (type: string, object: object, at = new Date(), secret = company.webhookSecret) =>
      signedEvent({ type, object, at, secret }),
    close: server.close,
  }
}

/** The provider derives ids from the key itself, so that a changed key is a new one. */
function otherKey(headers: IncomingMessage['headers'], generation: number): IncomingMessage['headers'] {
  const key = headers['idempotency-key']
  return key === undefined ? headers : { ...headers, 'idempotency-key': `${generation} ${String(key)}` }
}

function troublesToCome() {
  const troubles: { trouble: Trouble; times: number; path: RegExp }[] = []
  let held = Promise.withResolvers<void>()
  return {
    /** For the next `times` calls whose path matches, alone or after the method. */
    add: (trouble: Trouble, times = 1, path = /^/) => void troubles.push({ trouble, times, path }),
    clear: () => void troubles.splice(0),
    of({ method, path }: Asked): Trouble | null {
      const found = troubles.find((one) => one.times > 0 && (one.path.test(path) || one.path.test(`${method} ${path}`)))
      if (!found) return null
      found.times -= 1
      return found.trouble
    },
    isOver: () => held.promise,
    letGo(): void {
      held.resolve()
      held = Promise.withResolvers<void>()
    },
  }
}

type Signed = { type: string; object: object; at: Date; secret: string }

/** An event as Stripe sends it: the body, and the headers with the signature. */
function signedEvent({ type, object, at, secret }: Signed) {
  const created = Math.floor(Date.now() / 1000)
  const event = { id: newId('evt'), object: 'event', api_version: API_VERSION, created, livemode: false, type }
  const payload = JSON.stringify({ ...event, data: { object } })
  const signature = stripeSignature(payload, secret, Math.floor(at.getTime() / 1000))
  return { body: payload, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } }
}
