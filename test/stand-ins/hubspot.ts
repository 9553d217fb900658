// The sandbox's CRM over real HTTP, with each kind of failure.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { listen } from '#test/harness/listen.ts'
import { createPortal, type Portal } from '../../src/adapters/sandbox/crm/portal.ts'
import { answerPortal, type PortalAnswer, problem } from '../../src/adapters/sandbox/crm/rest.ts'

/** `after`: the write takes effect and its answer never comes. */
export type Trouble = 'limit' | 'daily' | 'down' | 'garbage' | 'redirect' | 'huge' | 'hang' | 'after' | 'forbidden'

export type HubspotStandIn = {
  url: string
  token: string
  secret: string
  store: Portal
  /** `PATCH /crm/objects/2026-09/companies/1 200` */
  log: string[]
  /** The next calls, or all until it is called with null. */
  trouble: (kind: Trouble | null, calls?: number) => void
  /** The answer of the next writes, as the portal's validation rules give it. */
  refuseWrites: (message: string | null) => void
  close: () => Promise<void>
}

export async function hubspotStandIn(): Promise<HubspotStandIn> {
  const token = 'pat-na1-11111111-2222-3333-4444-555555555555'
  const secret = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy'
  const store = createPortal([], {
    companies: new Set(['titular_organization_id', 'cnpj']),
    deals: new Set(['titular_quote_id']),
  })
  const log: string[] = []
  const state: { kind: Trouble | null; calls: number; refusal: string | null } = { kind: null, calls: 0, refusal: null }
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const { method = '', url = '' } = request
    const isWrite = method !== 'GET' && !url.endsWith('/search')
    const isDue = state.kind === 'after' ? isWrite : state.kind !== null
    const troubled = isDue && state.calls-- > 0 ? state.kind : null
    if (troubled !== null && troubled !== 'after') return misbehave(response, troubled, `${method} ${url}`, log)
    const isKnown = request.headers.authorization === `Bearer ${token}`
    const { pathname: path, searchParams: query } = new URL(url, 'http://hubspot')
    const answer: PortalAnswer = !isKnown
      ? problem(401, 'Authentication credentials not found')
      : isWrite && state.refusal !== null
        ? problem(400, state.refusal)
        : answerPortal(store, { method, path, query, body })
    log.push(`${method} ${url.split('?')[0]} ${answer.status}`)
    if (troubled === null) say(response, answer.status, answer.body, RATE)
  }
  const { url, close } = await listen(handle)
  return {
    url,
    token,
    secret,
    store,
    log,
    trouble: (kind, calls = Infinity) => void Object.assign(state, { kind, calls }),
    refuseWrites: (refusal) => void Object.assign(state, { refusal }),
    close,
  }
}

const RATE = {
  'x-hubspot-ratelimit-max': '190',
  'x-hubspot-ratelimit-remaining': '180',
  'x-hubspot-ratelimit-interval-milliseconds': '10000',
}

function misbehave(response: ServerResponse, kind: Trouble, call: string, log: string[]): void {
  log.push(`${call.split('?')[0]} ${kind}`)
  const limited = { status: 'error', message: 'You have reached your ten_secondly_rolling limit.' }
  switch (kind) {
    case 'limit':
      return say(response, 429, { ...limited, policyName: 'TEN_SECONDLY_ROLLING' }, { 'retry-after': '0' })
    case 'daily':
      return say(response, 429, { ...limited, policyName: 'DAILY' }, { 'x-hubspot-ratelimit-daily-remaining': '0' })
    case 'down':
      return say(response, 502, {})
    case 'forbidden':
      return say(response, 403, { status: 'error', message: 'This app lacks a scope', category: 'MISSING_SCOPES' })
    case 'garbage':
      return say(response, 200, { id: 7 })
    case 'redirect':
      return say(response, 302, {}, { location: 'http://127.0.0.1:1/elsewhere' })
    case 'huge':
      return say(response, 200, { id: '1', properties: { name: 'x'.repeat(2_000_000) } })
    case 'hang':
    case 'after':
  }
}

function say(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === null ? '' : JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = await textOf(request)
  return text === '' ? null : JSON.parse(text)
}
