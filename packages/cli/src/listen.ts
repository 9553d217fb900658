// Hands events on to an address of this machine, signed as the service signs its webhooks. They are read from the feed,
// so that nothing has to reach this machine from outside.
import { createHmac, randomBytes } from 'node:crypto'
import { listEvents } from '@titular/sdk'
import type { Client } from './client.ts'
import { bold, hasColor, inLine, say, write, type Console } from './console.ts'
import { follow } from './feed.ts'
import { lastOf, type FlagValues } from './flags.ts'
import { textOf, type Json } from './output/records.ts'
import { UsageError } from './usage-error.ts'

const TIMEOUT_MS = 15_000
const FEWEST_BYTES = 24

export async function listen(console: Console, client: Client, given: FlagValues): Promise<void> {
  const forward = lastOf(given, 'forward')
  if (forward === undefined || !URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol))
    throw new UsageError('listen needs --forward http://localhost:4000/hook', 'listen')
  const known = console.env['TITULAR_WEBHOOK_SECRET'] || undefined
  const secret = known ?? newSecret()
  const key = keyOf(secret)
  const after = lastOf(given, 'after')
  if (after !== undefined && !/^\d{1,15}$/.test(after)) throw new UsageError('--after takes a number', 'listen')
  const type = lastOf(given, 'type')
  const parameters = { ...(type !== undefined && { type }), ...(after !== undefined && { after: Number(after) }) }
  await say(console, `Forwarding to ${forward}`)
  if (known === undefined) await say(console, `The secret of the signatures: ${secret}`)
  await follow(console, client, { operation: listEvents, parameters, flags: given }, async (event) => {
    const result = await deliver(forward, key, event, console.signal)
    const isRight = /^2\d\d\b/.test(result)
    const shown = bold(inLine(result), hasColor(console, console.out) && !isRight)
    await write(
      console.out,
      `${inLine(['timestamp', 'type', 'resource_id'].map((name) => textOf(event[name])).join('  '))}  → ${shown}\n`,
    )
  })
}

const newSecret = (): string => `whsec_${randomBytes(FEWEST_BYTES).toString('base64')}`

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (!secret.startsWith('whsec_') || key.length < FEWEST_BYTES)
    throw new UsageError('TITULAR_WEBHOOK_SECRET takes whsec_ and base64 of 24 bytes or more', 'listen')
  return key
}

/** Once, without redirects, as the service sends: the status, or why there is none. */
async function deliver(url: string, key: Buffer, event: Json, signal: AbortSignal): Promise<string> {
  const body = JSON.stringify(event)
  const id = `msg_${String(event['id'])}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    // The status is all that counts; a body may be of any size.
    await response.body?.cancel()
    return `${response.status} ${response.statusText}`.trim()
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? cause.message || cause.name : String(cause)
  }
}
