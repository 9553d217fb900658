// The scenarios as HTTP requests, and the target of each.
import { createHmac, randomBytes } from 'node:crypto'
import { type Data, PASSWORD, type Owner } from './data.ts'

export type Question = { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string }

/**
 * Either a list of requests that can be repeated, or sequences that are sent once each: those of one sequence go over one
 * connection, one after the other.
 */
export type Questions = { all: Question[] } | { all?: never; nextSequence: () => Question[] | undefined }

/**
 * `ofLimit` is the share of the limit's rate. Only scenarios that have it run there; they have the most rounds.
 */
export type Scenario = {
  name: string
  path: string
  ofLimit?: number
  /** The target for the p99 at half of the highest rate, in milliseconds. */
  p99Ms?: number
  questions: Questions
}

const API = '/api/v1'

export const headersOf = ({ token, organizationId }: Pick<Owner, 'token' | 'organizationId'>) => ({
  authorization: `Bearer ${token}`,
  'x-service-organization': String(organizationId),
})

export const listOf = (owner: Owner): Question => ({
  method: 'GET',
  path: `${API}/entitlements`,
  headers: headersOf(owner),
})

const codesOf = (owner: Owner): Question[] =>
  owner.codes.map((code) => ({ method: 'GET', path: `${API}/entitlements/code/${code}`, headers: headersOf(owner) }))

const lineageOf = (owner: Owner): Question => ({
  method: 'GET',
  path: `${API}/entitlements/${owner.entitlementId}/lineage`,
  headers: headersOf(owner),
})

const feedOf = (owner: Owner): Question => ({
  method: 'GET',
  path: `${API}/events`,
  headers: headersOf(owner),
})

const loginOf = (email: string): Question => ({
  method: 'POST',
  path: `${API}/auth/login`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email, password: PASSWORD }),
})

const jsonOf = (owner: Owner, path: string, body: unknown): Question => ({
  method: 'POST',
  path: API + path,
  headers: { ...headersOf(owner), 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The PDFs of sent quotes; rendering one changes nothing. */
export const documentsOf = ({ quotes, owners }: Data): Question[] => {
  const byId = new Map(owners.map((owner) => [owner.organizationId, owner]))
  return quotes.slice(-200).flatMap(({ id, organizationId }) => {
    const owner = byId.get(organizationId)
    return owner ? [{ method: 'GET' as const, path: `${API}/quotes/${id}/pdf`, headers: headersOf(owner) }] : []
  })
}

export const smallOf = ({ owners }: Data): Question[] =>
  owners.map(({ token }) => ({
    method: 'GET',
    path: `${API}/auth/me`,
    headers: { authorization: `Bearer ${token}` },
  }))

export function scenariosOf(data: Data): Scenario[] {
  return [...readsOf(data), ...changesOf(data)]
}

const readsOf = ({ owners, bigOwner }: Data): Scenario[] => [
  {
    name: 'list of 20 + total',
    path: 'GET /entitlements',
    ofLimit: 0.7,
    p99Ms: 5,
    questions: { all: owners.map(listOf) },
  },
  {
    name: 'one by code',
    path: 'GET /entitlements/code/{code}',
    ofLimit: 0.6,
    questions: { all: owners.flatMap(codesOf) },
  },
  {
    name: 'lineage',
    path: 'GET /entitlements/{id}/lineage',
    p99Ms: 10,
    questions: { all: [lineageOf(bigOwner)] },
  },
  {
    name: 'feed of 20 events',
    path: 'GET /events',
    questions: { all: owners.map(feedOf) },
  },
]

const changesOf = (data: Data): Scenario[] => [
  { name: 'accept', path: 'POST /quotes/{id}/accept', questions: acceptsOf(data) },
  {
    name: 'activate',
    path: 'POST /licenses/{id}/activate, …/deactivate',
    questions: activationsOf(data),
  },
  {
    name: 'ticket',
    path: 'POST /tickets',
    questions: ticketsOf(data),
  },
  {
    name: 'webhook',
    path: 'POST /webhooks/payment/{company}',
    questions: eventsOf(data),
  },
  { name: 'login', path: 'POST /auth/login', questions: { all: data.emails.map(loginOf) } },
]

/** Activates a new domain and deactivates it, so that lists stay short however long the run is. */
function activationsOf({ owners }: Data): Questions {
  let asked = 0
  return {
    nextSequence: () => {
      const owner = owners[asked % owners.length]
      const body = { domain: `shop-${asked++}.bench.example` }
      return (
        owner && ['activate', 'deactivate'].map((act) => jsonOf(owner, `/licenses/${owner.licenseId}/${act}`, body))
      )
    },
  }
}

/** A new signed event of a payment each time: it is stored, with a job for it. */
function eventsOf({ webhookSecret }: Data): Questions {
  return {
    nextSequence: () => {
      const created = Math.floor(Date.now() / 1000)
      const body = JSON.stringify(paidEvent(randomBytes(12).toString('hex'), created))
      const signature = createHmac('sha256', webhookSecret).update(`${created}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${created},v1=${signature}` }
      return [{ method: 'POST', path: `${API}/webhooks/payment/entity_br`, headers, body }]
    },
  }
}

function paidEvent(id: string, created: number): object {
  const paid = { id: `in_${id}`, object: 'invoice', status: 'paid', customer: `cus_${id}`, number: `BR-${created}` }
  const money = { amount_paid: 15_000, amount_due: 15_000, total: 15_000, currency: 'brl' }
  const lines = Array.from({ length: 5 }, (_, line) => ({
    id: `il_${line}`,
    amount: 3000,
    description: `Line ${line}`,
  }))
  const object = { ...paid, ...money, lines: { object: 'list', data: lines }, status_transitions: { paid_at: created } }
  return { id: `evt_${id}`, object: 'event', type: 'invoice.paid', created, livemode: false, data: { object } }
}

/** One organization after the other, so that connections seldom wait for the same organization's lock. */
function ticketsOf({ owners }: Data): Questions {
  let asked = 0
  return {
    nextSequence: () => {
      const owner = owners[asked++ % owners.length]
      const about = { title: `The backup fails ${asked}`, description: 'Since last night', priority: 'normal' }
      return owner && [jsonOf(owner, '/tickets', { ...about, entitlement_id: owner.entitlementId })]
    },
  }
}

/** Both servers take quotes from one iterator, so that none gets a quote that the other has accepted. */
function acceptsOf({ quotes, owners }: Data): Questions {
  const byId = new Map(owners.map((owner) => [owner.organizationId, owner]))
  const line = quotes.filter(({ organizationId }) => byId.has(organizationId)).values()
  return {
    nextSequence: () => {
      const { value: quote } = line.next()
      const owner = quote && byId.get(quote.organizationId)
      return owner && [{ method: 'POST', path: `${API}/quotes/${quote.id}/accept`, headers: headersOf(owner) }]
    },
  }
}
