// For tests: a stand-in for Stripe over real HTTP, with its rules for keys, and every way to be in trouble.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { API_VERSION, stripeLibrary } from '../../../src/adapters/stripe/library.ts'
import { newId, nowInSeconds, openAccount, Refusal } from './account.ts'
import { ENDPOINTS } from './api.ts'

export type Form = Record<string, string>
export type Asked = {
  method: string
  path: string
  key: string | null
  form: Form
  headers: IncomingMessage['headers']
}

/** `lost`: done, but the answer never arrives; `late`: done and answered when the test lets go. */
export type Trouble =
  | 'late'
  | 'hang'
  | 'drip'
  | 'cut'
  | 'lost'
  | '500'
  | '429'
  | '409'
  | 'html'
  | 'shape'
  | 'huge'
  | 'redirect'

const SECRET_KEY = 'sk_test_stand_in_51secret'
const WEBHOOK_SECRET = 'whsec_of_the_stand_in_only'

export type StripeStandIn = Awaited<ReturnType<typeof stripeStandIn>>

export async function stripeStandIn({ livemode = false }: { livemode?: boolean } = {}) {
  let url = ''
  const account = openAccount({ url: () => url, livemode })
  const answers = new Map<string, { asked: string; status: number; body: string }>()
  const asked: Asked[] = []
  let held = Promise.withResolvers<void>()
  const troubles: { trouble: Trouble; times: number; path: RegExp }[] = []

  function troubleFor({ method, path }: Asked): Trouble | null {
    const found = troubles.find((one) => one.times > 0 && (one.path.test(path) || one.path.test(`${method} ${path}`)))
    if (!found) return null
    found.times -= 1
    return found.trouble
  }

  function answerTo(incoming: IncomingMessage, call: Asked, query: URLSearchParams): { status: number; body: string } {
    const key = call.key === null ? null : `${call.method} ${call.key}`
    const before = key === null ? undefined : answers.get(key)
    const fingerprint = JSON.stringify([call.path, call.form])
    try {
      assertMembers(incoming)
      if (before && before.asked !== fingerprint) {
        const message = `Keys for idempotent requests can only be used with the same parameters. Key: ${call.key}`
        throw new Refusal(400, { type: 'idempotency_error', message })
      }
      if (before) return before
      const endpoint = ENDPOINTS.find(({ method, path }) => method === call.method && path.test(call.path))
      if (!endpoint) throw new Refusal(404, { type: 'invalid_request_error', message: `Unrecognized: ${call.path}` })
      const id = endpoint.path.exec(call.path)?.[1] ?? ''
      const answer = { status: 200, body: JSON.stringify(endpoint.run({ account, form: call.form, query, id })) }
      if (key !== null) answers.set(key, { asked: fingerprint, ...answer })
      return answer
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { status: error.status, body: JSON.stringify({ error: error.fault }) }
    }
  }

  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing)
  })
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stripe')
    const form = Object.fromEntries(new URLSearchParams(await text(incoming)))
    const header = incoming.headers['idempotency-key']
    const key = typeof header === 'string' ? header : null
    const call: Asked = { method: incoming.method ?? '', path: pathname, key, form, headers: incoming.headers }
    asked.push(call)
    const trouble = troubleFor(call)
    if (trouble === 'late') await held.promise
    else if (trouble !== null && trouble !== 'lost') return inTrouble(trouble, outgoing)
    const { status, body } = answerTo(incoming, call, searchParams)
    if (trouble === 'lost') return inTrouble('cut', outgoing)
    outgoing.writeHead(status, { 'content-type': 'application/json', 'request-id': newId('req') }).end(body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''

  return {
    ...account,
    url,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    asked,
    /** For the next calls whose path matches, alone or after the method. */
    getIntoTrouble: (trouble: Trouble, times = 1, path = /^/) => void troubles.push({ trouble, times, path }),
    recover: () => void troubles.splice(0),
    /** Answers those that are late until now. */
    letGo: () => {
      held.resolve()
      held = Promise.withResolvers<void>()
    },
    /** As Stripe forgets its keys after a day. */
    forgetKeys: () => answers.clear(),
    event: (type: string, object: object, at = new Date(), secret = WEBHOOK_SECRET) =>
      signedEvent({ type, object, livemode, at, secret }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function assertMembers({ headers, method }: IncomingMessage): void {
  if (headers.authorization !== `Bearer ${SECRET_KEY}`)
    throw new Refusal(401, { type: 'invalid_request_error', message: `Invalid API Key: ${headers.authorization}` })
  if (headers['stripe-version'] !== API_VERSION)
    throw new Refusal(400, { type: 'invalid_request_error', message: 'Another API version' })
  if (method === 'POST' && headers['content-type'] !== 'application/x-www-form-urlencoded')
    throw new Refusal(400, { type: 'invalid_request_error', message: 'Not a form' })
}

const STATUS: Partial<Record<Trouble, number>> = { '500': 500, '429': 429, '409': 409 }

function inTrouble(trouble: Trouble, outgoing: ServerResponse): void {
  const status = STATUS[trouble]
  const json = { 'content-type': 'application/json' }
  if (status !== undefined) {
    const fault = { type: 'api_error', message: 'In trouble', payment_intent: { client_secret: 'pi_1_secret_2' } }
    outgoing.writeHead(status, json).end(JSON.stringify({ error: fault }))
  } else if (trouble === 'cut')
    outgoing.writeHead(200, { ...json, 'content-length': '100' }).write('{"id":', () => outgoing.destroy())
  else if (trouble === 'html') outgoing.writeHead(200).end('<html>')
  else if (trouble === 'shape') outgoing.writeHead(200, json).end('{"id":7}')
  else if (trouble === 'huge')
    outgoing.writeHead(200, json).end(JSON.stringify({ id: 'x', pad: 'x'.repeat(1_200_000) }))
  else if (trouble === 'redirect') outgoing.writeHead(302, { location: '/v1/elsewhere' }).end()
  else if (trouble === 'drip') void setInterval(() => outgoing.write(' '), 20).unref()
}

type Signed = { type: string; object: object; livemode: boolean; at: Date; secret: string }

/** As Stripe sends it: the body, and the headers with the library's own signature. */
function signedEvent({ type, object, livemode, at, secret }: Signed) {
  const payload = JSON.stringify({
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: nowInSeconds(),
    livemode,
    type,
    data: { object },
  })
  const timestamp = Math.floor(at.getTime() / 1000)
  const signature = stripeLibrary().webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { body: payload, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } }
}
