// Failures of Stripe, as answers over HTTP.
import type { ServerResponse } from 'node:http'

/** `lost`: done, but the answer never arrives; `late`: done and answered when the test calls `letGo`. */
export type Trouble =
  | 'late'
  | 'hang'
  | 'drip'
  | 'cut'
  | 'lost'
  | '500'
  | '429'
  | '409'
  | 'declined'
  | 'html'
  | 'shape'
  | 'huge'
  | 'redirect'

const IN_TROUBLE = { type: 'api_error', message: 'In trouble', payment_intent: { client_secret: 'pi_1_secret_2' } }

/** The failures with an error object of Stripe's. */
const FAULTS: Partial<Record<Trouble, { status: number; fault: object }>> = {
  '500': { status: 500, fault: IN_TROUBLE },
  '429': { status: 429, fault: IN_TROUBLE },
  '409': { status: 409, fault: IN_TROUBLE },
  declined: {
    status: 402,
    fault: { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' },
  },
}

export function answerInTrouble(trouble: Trouble, outgoing: ServerResponse): void {
  const json = { 'content-type': 'application/json' }
  const error = FAULTS[trouble]
  if (error) outgoing.writeHead(error.status, json).end(JSON.stringify({ error: error.fault }))
  else if (trouble === 'cut' || trouble === 'lost')
    outgoing.writeHead(200, { ...json, 'content-length': '100' }).write('{"id":', () => outgoing.destroy())
  else if (trouble === 'html') outgoing.writeHead(200).end('<html>')
  else if (trouble === 'shape') outgoing.writeHead(200, json).end('{"id":7}')
  else if (trouble === 'huge')
    outgoing.writeHead(200, json).end(JSON.stringify({ id: 'x', pad: 'x'.repeat(1_200_000) }))
  else if (trouble === 'redirect') outgoing.writeHead(302, { location: '/v1/elsewhere' }).end()
  else if (trouble === 'drip') void setInterval(() => outgoing.write(' '), 20).unref()
}
