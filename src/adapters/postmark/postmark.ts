// Inbound mail by Postmark: a JSON request for each mail, which has the whole message where the server is set to do
// so (“Include raw email content in JSON payload”). The secret is the password in the address of the webhook, which
// Postmark sends as HTTP Basic; it signs nothing.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { isEqual } from '#kernel/keys/secrets.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import { bodyDigest } from '#ports/body-signatures.ts'
import type { InboundMail, MailRequest } from '#ports/inbound-mail.ts'
import type { ReceivedHeaders } from '#ports/standard-webhooks.ts'

const Payload = Type.Object({ RawEmail: Type.String({ minLength: 1 }) })

export const postmarkInbound = ({ webhookSecrets }: { webhookSecrets: readonly string[] }): InboundMail => ({
  name: 'postmark',
  readRequest: (headers, body) => readRequest(webhookSecrets, headers, body),
  fetch: () => Promise.resolve(),
})

function readRequest(secrets: readonly string[], headers: ReceivedHeaders, body: Buffer): MailRequest {
  const password = passwordIn(headers)
  const isProven = secrets.filter((secret) => isEqual(password, secret)).length > 0
  if (!isProven) return { kind: 'unsigned', reason: 'No secret is the password of this request' }
  const payload = parsedJson(body)
  if (Value.Check(Payload, payload))
    return { kind: 'mail', mail: { bytes: Buffer.from(payload.RawEmail), isCut: false } }
  const reason = 'must have "RawEmail": Postmark sends it where the raw content is included in the payload'
  return { kind: 'unreadable', dedupeKey: bodyDigest(body), providerType: 'mail', reason }
}

function passwordIn({ authorization }: ReceivedHeaders): string {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(typeof authorization === 'string' ? authorization : '') ?? []
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}
