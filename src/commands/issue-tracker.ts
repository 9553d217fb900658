// The issue tracker: Jira, GitHub, Redmine, the sandbox's or none. Only the chosen one is read.
import type { IssueTracker } from '#ports/issue-tracker.ts'
import type { Config } from '#config/config.ts'
import { localUrl } from '#config/http.ts'
import type { Secrets } from './secrets.ts'

/** The only project that the sandbox’s tracker has, as its protocol names it. */
export const SANDBOX_PROJECTS = { github: 'titular/support', jira: 'SUP', redmine: 'support' } as const

const PATH = '/sandbox/tracker'

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
    case 'redmine':
      return (await import('../adapters/redmine/redmine.ts')).redmine(choice)
    case 'sandbox':
      return sandboxTrackerOf(choice.protocol, { config, secrets })
  }
}

async function sandboxTrackerOf(
  protocol: keyof typeof SANDBOX_PROJECTS,
  { config, secrets }: TrackerOptions,
): Promise<IssueTracker> {
  const { token, webhookSecret } = secrets.sandboxTracker
  const urls = { url: `${localUrl(config)}${PATH}`, siteUrl: `${config.publicUrl}${PATH}` }
  const account = { ...urls, token, project: SANDBOX_PROJECTS[protocol], webhookSecrets: [webhookSecret] }
  switch (protocol) {
    case 'github': {
      const { githubIssues } = await import('../adapters/github-issues/github-issues.ts')
      return githubIssues({ ...account, repository: account.project, name: 'github-sandbox' })
    }
    case 'jira': {
      const { jira } = await import('../adapters/jira/jira.ts')
      return jira({ ...account, user: 'titular', issueType: 'Task', name: 'jira-sandbox' })
    }
    case 'redmine':
      return (await import('../adapters/redmine/redmine.ts')).redmine({ ...account, name: 'redmine-sandbox' })
  }
}
