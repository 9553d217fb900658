// GitHub as the sandbox's tracker speaks it, with what only GitHub itself does.
import { answerGithub, githubEvent, type Repository } from '../../src/adapters/sandbox/tracker/github.ts'
import type { IssueStore } from '../../src/adapters/sandbox/tracker/issues.ts'
import type { Face } from './tracker.ts'

const REPOSITORY: Repository = { name: 'titular/support', url: 'https://github.example' }
const US = { login: 'titular', isOfTeam: true }

const isIssue = (one: unknown): one is { number: number } => typeof one === 'object' && one !== null && 'number' in one

export const githubFace: Face = {
  environment: {
    ISSUE_TRACKER_TOKEN: 'token-of-github',
    ISSUE_TRACKER_PROJECT: REPOSITORY.name,
    ISSUE_TRACKER_WEBHOOK_SECRETS: 'It is a Secret to Everybody',
  },
  isAuthorized: (headers) =>
    headers.authorization === 'Bearer token-of-github' &&
    headers['x-github-api-version'] === '2026-03-10' &&
    headers.accept === 'application/vnd.github+json' &&
    headers['user-agent'] !== undefined,
  written: (text) => text,
  answer: (store, request) => {
    const { status, body } = answerGithub(store as IssueStore, REPOSITORY, { ...request, by: US })
    // GitHub lists pull requests among its issues.
    const asPull = (one: { number: number }) =>
      store.pulls.has(one.number) ? { ...one, pull_request: { url: 'https://github.example/pulls/1' } } : one
    return { status, body: Array.isArray(body) ? body.map(asPull) : isIssue(body) ? asPull(body) : body }
  },
  event: (issue, { type, ...more }) => {
    const change = { event: 'issues', action: 'edited', issue: issue as IssueStore['issues'][number] } as const
    const { headers, body } = githubEvent(REPOSITORY, change, more)
    return { headers: type ? { ...headers, 'x-github-event': type } : headers, body }
  },
}
