// A customer's system that receives webhooks: remembers every request, and answers as the test says.
import type { IncomingHttpHeaders } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { listen } from '#test/harness/listen.ts'

export type Received = {
  path: string
  headers: IncomingHttpHeaders
  text: string
  type: string
  data: Record<string, unknown>
}
type Reply = { status: number; headers?: Record<string, string>; body?: string }
/** `hang`: no answer at all, until the receiver closes. */
export type Answering = (received: Received) => Reply | 'hang' | Promise<Reply | 'hang'>

export type WebhookReceiver = {
  url: string
  received: Received[]
  types: () => string[]
  answer: (answering: Answering) => void
  /** The largest number of requests that were open at a time. */
  mostAtOnce: () => number
  close: () => Promise<void>
}

const accepting: Answering = () => ({ status: 204 })

export async function webhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  let answering: Answering = accepting
  let [open, most] = [0, 0]
  const { url, close } = await listen(async (request, response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    const text = await textOf(request)
    // The sender's time was up before the body came.
    if (!request.complete) return
    const { type, data }: Pick<Received, 'type' | 'data'> = JSON.parse(text)
    const one = { path: request.url ?? '', headers: request.headers, text, type, data }
    received.push(one)
    const reply = await answering(one)
    if (reply !== 'hang') response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  return {
    url: `${url}/hook`,
    received,
    types: () => received.map(({ type }) => type),
    answer: (next) => void (answering = next),
    mostAtOnce: () => most,
    close,
  }
}
