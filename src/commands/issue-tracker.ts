// The issue tracker: Jira, GitHub, Redmine or none. Only the chosen one is read.
import type { IssueTracker } from '#ports/issue-tracker.ts'
import type { Config } from '#config/config.ts'

export async function issueTrackerOf({ issueTracker: choice }: Config): Promise<IssueTracker | null> {
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
  }
}
