// The issue tracker: Jira, GitHub, Redmine, the sandbox's or none. Only the chosen one is read.
import type { IssueTracker } from '#ports/issue-tracker.ts'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import type { Secrets } from './secrets.ts'

/** The only repository that the sandbox’s tracker has. */
export const SANDBOX_REPOSITORY = 'titular/support'

type TrackerOptions = { config: Config; secrets: Secrets }

export async function issueTrackerOf({ config, secrets }: TrackerOptions): Promise<IssueTracker | null> {
  const { issueTracker: choice } = config
  switch (choice.kind) {
    case 'none':
      return null
    case 'jira':
      return (await import('../adapters/jira/jira.ts')).jira(choice)
    case 'github': {
      const { githubIssues } = await import('../adapters/github-issues/github-issues.ts')
      return githubIssues({ ...choice, repository: choice.project })
    }
    case 'sandbox': {
      const { githubIssues } = await import('../adapters/github-issues/github-issues.ts')
      const { token, webhookSecret } = secrets.sandboxTracker
      const url = `${localUrl(config)}/sandbox/tracker`
      const account = { url, token, repository: SANDBOX_REPOSITORY, webhookSecrets: [webhookSecret] }
      return githubIssues({ ...account, name: 'github-sandbox' })
    }
    case 'redmine':
      return (await import('../adapters/redmine/redmine.ts')).redmine(choice)
  }
}
