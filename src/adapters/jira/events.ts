// Webhooks of Jira: signed with the secret of the webhook; repeats have the same identifier.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { bodyDigest } from '#ports/body-signatures.ts'
import type { ReceivedHeaders } from '#ports/standard-webhooks.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import type { ReceivedTrackerEvent } from '#ports/issue-tracker.ts'
import { idIn, isSignedSha256 } from '#ports/tracker-answers.ts'

const USED = /^(jira:issue_(created|updated|deleted)|comment_(created|updated|deleted))$/
const Event = Type.Object({ webhookEvent: Type.String({ pattern: '^[\\w:]{1,100}$' }) })
const OfIssue = Type.Object({ issue: Type.Object({ id: Type.String({ pattern: '^\\d{1,20}$' }) }) })

export function readJiraEvent(
  secrets: readonly string[],
  headers: ReceivedHeaders,
  body: Buffer,
): ReceivedTrackerEvent {
  if (!isSignedSha256(secrets, headers['x-hub-signature'], body))
    return { kind: 'unsigned', reason: 'No secret made this signature' }
  const dedupeKey = idIn(headers, 'x-atlassian-webhook-identifier') ?? bodyDigest(body)
  const event = parsedJson(body)
  if (!Value.Check(Event, event))
    return { kind: 'unreadable', dedupeKey, providerType: 'unknown', reason: 'must have "webhookEvent"' }
  const about = { dedupeKey, providerType: event.webhookEvent }
  if (!USED.test(event.webhookEvent)) return { ...about, kind: 'ignored' }
  if (!Value.Check(OfIssue, event)) return { ...about, kind: 'unreadable', reason: 'must have the "id" of the "issue"' }
  return { ...about, kind: 'changed', issueId: event.issue.id }
}
