// The vendor's own system for tests: over real HTTP, with signatures computed and verified by its own code, and with each kind
// of failure. It sets up one installation per request id, however often the request is repeated.
import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { listen } from '#test/harness/listen.ts'

export type Behaviour =
  | 'done'
  | 'pending'
  | 'failed'
  | 'refuse'
  | 'absent'
  | 'unsupported'
  | 'busy'
  | 'redirect'
  | 'garbage'
  | 'huge'
  | 'cut'
  | 'hang'
  | 'hold'

export type Asked = {
  id: string
  key: string
  isSigned: boolean
  body: { type: string; data: Record<string, unknown> }
}

export type ProvisioningSystem = {
  url: string
  environment: Record<string, string>
  requests: Asked[]
  /** Request id → the number of installations. */
  installed: Map<string, number>
  behave: (behaviour: Behaviour, delayMs?: number) => void
  /** Answers `done` to what is on hold. */
  release: () => void
  /** The ids of requests that came while another one about the same environment was not answered. */
  overlaps: string[]
  /** The headers and body of a report. */
  report: (data: object, at: Date, more?: { id?: string; type?: string; secret?: string }) => Report
  close: () => Promise<void>
}
export type Report = { headers: Record<string, string>; body: string }

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
export const WEBHOOK_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDC2FVsBQIhrs='

const signatureOf = (secret: string, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

const headerOf = (request: IncomingMessage, name: string): string => String(request.headers[name])

/** Without the number of the request. */
const environmentOf = (requestId: string): string => requestId.replace(/-\d+$/, '')

export async function startProvisioningSystem(): Promise<ProvisioningSystem> {
  const requests: Asked[] = []
  const installed = new Map<string, number>()
  const overlaps: string[] = []
  const open = new Set<string>()
  const held: ServerResponse[] = []
  let behaviour: Behaviour = 'done'
  let delay = 0
  const { url: origin, close } = await listen(async (request, response) => {
    const text = await textOf(request)
    const id = headerOf(request, 'webhook-id')
    const isSigned =
      headerOf(request, 'webhook-signature') === signatureOf(SECRET, id, headerOf(request, 'webhook-timestamp'), text)
    requests.push({ id, key: headerOf(request, 'idempotency-key'), isSigned, body: JSON.parse(text) })
    if ([...open].some((other) => environmentOf(other) === environmentOf(id))) overlaps.push(id)
    open.add(id)
    response.on('close', () => open.delete(id))
    if (behaviour === 'hold') return void held.push(response)
    if (behaviour !== 'refuse' && behaviour !== 'busy' && !installed.has(id)) installed.set(id, 1)
    setTimeout(() => answer(response, behaviour), delay)
  })
  const url = `${origin}/provision`
  return {
    url,
    environment: {
      PROVISIONING_URL: url,
      PROVISIONING_SECRET: SECRET,
      PROVISIONING_WEBHOOK_SECRETS: WEBHOOK_SECRET,
    },
    requests,
    installed,
    overlaps,
    release: () => {
      for (const response of held.splice(0)) answer(response, 'done')
    },
    behave: (next, delayMs = 0) => {
      behaviour = next
      delay = delayMs
    },
    report: (
      data,
      at,
      { id = `msg_${randomUUID()}`, type = 'environment.provisioning', secret = WEBHOOK_SECRET } = {},
    ) => {
      const body = JSON.stringify({ type, timestamp: at.toISOString(), data })
      const timestamp = String(Math.floor(at.getTime() / 1000))
      const signature = signatureOf(secret, id, timestamp, body)
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
      return { headers: { 'content-type': 'application/json', ...headers }, body }
    },
    close,
  }
}

function answer(response: ServerResponse, behaviour: Behaviour): void {
  const json = (status: number, body: object, headers: Record<string, string> = {}) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  switch (behaviour) {
    case 'done':
      return json(200, { status: 'done', url: 'https://campus.example', more: 'ignored' })
    case 'pending':
      return json(202, { status: 'pending' })
    case 'failed':
      return json(200, { status: 'failed', error: 'No room\u0000 left\nin the region' })
    case 'refuse':
      return json(422, { error: 'unknown platform' })
    case 'absent':
      return json(404, {})
    case 'unsupported':
      return json(501, {})
    case 'busy':
      return json(503, {})
    case 'redirect':
      return json(302, {}, { location: 'http://127.0.0.1:1/elsewhere' })
    case 'garbage':
      return json(200, { status: 'perhaps' })
    case 'huge':
      return json(200, { status: 'done', url: null, padding: 'x'.repeat(200_000) })
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"status":')
      setTimeout(() => response.destroy(), 10)
      return
    case 'hang':
    case 'hold':
  }
}
