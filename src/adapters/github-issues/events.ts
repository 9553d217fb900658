// Webhooks of GitHub: signed over the raw bytes, as JSON or in a form; repeats have the same delivery id.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { bodyDigest } from '#ports/body-signatures.ts'
import type { ReceivedHeaders } from '#ports/standard-webhooks.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import type { ReceivedTrackerEvent } from '#ports/issue-tracker.ts'
import { idIn, isSignedSha256 } from '#ports/tracker-answers.ts'

const USED: ReadonlySet<string> = new Set(['issues', 'issue_comment'])
const Event = Type.Object({
  issue: Type.Object({ number: Type.Integer({ minimum: 1 }) }),
  repository: Type.Object({ full_name: Type.String() }),
})

export function readGithubEvent(
  { webhookSecrets, repository }: { webhookSecrets: readonly string[]; repository: string },
  headers: ReceivedHeaders,
  body: Buffer,
): ReceivedTrackerEvent {
  if (!isSignedSha256(webhookSecrets, headers['x-hub-signature-256'], body))
    return { kind: 'unsigned', reason: 'No secret made this signature' }
  const dedupeKey = idIn(headers, 'x-github-delivery') ?? bodyDigest(body)
  const about = { dedupeKey, providerType: idIn(headers, 'x-github-event') ?? 'unknown' }
  if (!USED.has(about.providerType)) return { ...about, kind: 'ignored' }
  const event = isForm(headers)
    ? parsedJson(new URLSearchParams(body.toString()).get('payload') ?? '')
    : parsedJson(body)
  if (!Value.Check(Event, event))
    return { ...about, kind: 'unreadable', reason: 'must have the "number" of the "issue" and its "repository"' }
  // Numbers count within a repository.
  if (event.repository.full_name.toLowerCase() !== repository.toLowerCase()) return { ...about, kind: 'ignored' }
  return { ...about, kind: 'changed', issueId: String(event.issue.number) }
}

/** The content type that GitHub proposes for a new webhook. */
const isForm = ({ 'content-type': type }: ReceivedHeaders): boolean =>
  typeof type === 'string' && type.toLowerCase().startsWith('application/x-www-form-urlencoded')
