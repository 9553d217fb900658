// The issue tracker of the vendor's developers.
import { type StatusPair, SYNCED_STATUSES } from '#ports/issue-tracker.ts'
import { PUBLIC_PREFIX } from '#ports/tracker-settings.ts'
import { needed, WrongSettings } from './problems.ts'
import { list, number, oneOf, secureUrl, text, sharedSecrets } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

/** `open=To Do,resolved=Done`; a status may stand in several pairs. */
function statusPairs(value: string): StatusPair[] {
  return list(value).map((entry) => {
    const [, name = '', theirs = ''] = /^(\w+)=(.{1,255})$/.exec(entry) ?? []
    const ours = SYNCED_STATUSES.find((one) => one === name)
    if (ours === undefined || theirs.trim() === '')
      throw new Error(`must list pairs such as open=To Do,resolved=Done, of ${SYNCED_STATUSES.join(', ')}`)
    return { ours, theirs: theirs.trim() }
  })
}

function token(value: string): string {
  if (!/^[\x21-\x7e]{8,1000}$/.test(value)) throw new Error('must be a token as the tracker shows it')
  return value
}

function publicPrefix(value: string): string {
  if (!PUBLIC_PREFIX.test(value)) throw new Error('must be 2 to 40 characters without blanks')
  return value
}

export const ISSUE_TRACKER = {
  kind: {
    name: 'ISSUE_TRACKER',
    meaning:
      '`jira`, `github` or `redmine`; with `none` staff record keys of issues by hand. The sandbox’s speaks GitHub’s ' +
      'protocol as `sandbox`, those of the others as `jira-sandbox` and `redmine-sandbox`',
    fallback: 'none',
    sandboxFallback: 'sandbox',
    read: oneOf('none', 'jira', 'github', 'redmine', 'sandbox', 'jira-sandbox', 'redmine-sandbox'),
  },
  url: {
    name: 'ISSUE_TRACKER_URL',
    meaning:
      'Its address (https outside the loopback): `https://acme.atlassian.net`; `https://api.github.com` when unset',
    read: secureUrl,
  },
  user: { name: 'ISSUE_TRACKER_USER', meaning: 'Jira: e-mail address of the account whose token it is', read: text },
  token: {
    name: 'ISSUE_TRACKER_TOKEN',
    meaning: 'API token (Jira), token that may write issues (GitHub), API key (Redmine) of an account for this service',
    read: token,
    secret: true,
  },
  project: {
    name: 'ISSUE_TRACKER_PROJECT',
    meaning: 'Where issues are created: key (Jira), `owner/name` (GitHub), identifier (Redmine)',
    read: text,
  },
  issueType: {
    name: 'ISSUE_TRACKER_ISSUE_TYPE',
    meaning: 'Jira: type of the issues that are created',
    fallback: 'Task',
    read: text,
  },
  webhookSecrets: {
    name: 'ISSUE_TRACKER_WEBHOOK_SECRETS',
    meaning: 'Jira, GitHub: any of them signs what it sends to `/webhooks/issue-tracker`, by comma',
    read: sharedSecrets,
    secret: true,
  },
  statuses: {
    name: 'ISSUE_TRACKER_STATUSES',
    meaning:
      'Statuses of tickets and of the tracker, by comma: `open=To Do,resolved=Done`, …; the first pair of a ' +
      'status counts, and one without a pair stays as it is. When unset, those that the tracker is ' +
      'delivered with',
    read: statusPairs,
  },
  publicPrefix: {
    name: 'ISSUE_TRACKER_PUBLIC_PREFIX',
    meaning: 'A comment in the tracker that begins with it is shown to the customer',
    fallback: '/public',
    read: publicPrefix,
  },
  pollSeconds: {
    name: 'ISSUE_TRACKER_POLL_SECONDS',
    meaning: 'How often an issue without news is looked at; when unset 120 for Redmine, which sends no news, else 3600',
    read: number(30, 86_400),
  },
} as const satisfies Variables

/** As the trackers are delivered. */
const STATUSES = {
  jira: 'open=To Do,in_progress=In Progress,resolved=Done,closed=Done,cancelled=Done',
  github:
    'open=open,in_progress=open,waiting=open,resolved=completed,closed=completed,' +
    'cancelled=not_planned,cancelled=duplicate',
  redmine: 'open=New,in_progress=In Progress,waiting=Feedback,resolved=Resolved,closed=Closed,cancelled=Rejected',
} as const

/** The protocols of those in the sandbox. */
const SANDBOXES = { sandbox: 'github', 'jira-sandbox': 'jira', 'redmine-sandbox': 'redmine' } as const

/** How it is spoken with; the statuses and the prefix are first values of settings. */
export type IssueTrackerRules = {
  statuses: readonly StatusPair[]
  publicPrefix: string
  pollSeconds: number
}

type Access = { url: string; token: string; project: string }
export type IssueTrackerChoice =
  | { kind: 'none' }
  | { kind: 'sandbox'; protocol: keyof typeof STATUSES; rules: IssueTrackerRules }
  | ({ kind: 'jira'; user: string; issueType: string; webhookSecrets: string[]; rules: IssueTrackerRules } & Access)
  | ({ kind: 'github'; webhookSecrets: string[]; rules: IssueTrackerRules } & Access)
  | ({ kind: 'redmine'; rules: IssueTrackerRules } & Access)

/** What the project is called: a key, a repository, an identifier. */
const PROJECT = {
  jira: /^[A-Z][A-Z0-9_]{1,99}$/,
  github: /^[\w.-]{1,100}\/[\w.-]{1,100}$/,
  redmine: /^[a-z0-9][a-z0-9_-]{0,99}$/,
} as const

export function issueTrackerOf(given: ValuesOf<typeof ISSUE_TRACKER>, sandbox: boolean): IssueTrackerChoice {
  const { kind, issueType } = given
  if (kind === 'none') return { kind }
  if (kind === 'sandbox' || kind === 'jira-sandbox' || kind === 'redmine-sandbox') {
    if (!sandbox) throw new WrongSettings(`ISSUE_TRACKER cannot be "${kind}" while SANDBOX is off`)
    const protocol = SANDBOXES[kind]
    return { kind: 'sandbox', protocol, rules: rulesOf(protocol, given) }
  }
  const values = { ...given, url: given.url ?? (kind === 'github' ? 'https://api.github.com' : null) }
  const because = `ISSUE_TRACKER is ${kind}`
  const access = ['url', 'token', 'project'] as const
  const signed = [...access, 'webhookSecrets'] as const
  const rules = rulesOf(kind, given)
  if (kind === 'redmine')
    return { kind, rules, ...named(kind, needed(ISSUE_TRACKER, values, { properties: access, because })) }
  if (kind === 'github')
    return { kind, rules, ...named(kind, needed(ISSUE_TRACKER, values, { properties: signed, because })) }
  const properties = [...signed, 'user'] as const
  return { kind, rules, issueType, ...named(kind, needed(ISSUE_TRACKER, values, { properties, because })) }
}

function rulesOf(
  kind: keyof typeof STATUSES,
  { statuses, publicPrefix: prefix, pollSeconds }: ValuesOf<typeof ISSUE_TRACKER>,
): IssueTrackerRules {
  return {
    statuses: statuses ?? statusPairs(STATUSES[kind]),
    publicPrefix: prefix,
    pollSeconds: pollSeconds ?? (kind === 'redmine' ? 120 : 3600),
  }
}

function named<Given extends { project: string }>(kind: keyof typeof PROJECT, given: Given): Given {
  if (!PROJECT[kind].test(given.project))
    throw new WrongSettings(`${ISSUE_TRACKER.project.name} is not the name of a project of ${kind}`)
  return given
}
