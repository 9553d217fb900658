// The issue tracker: Jira, GitHub, Redmine or none.
import type { IssueTracker } from '#ports/issue-tracker.ts'
import { githubIssues } from '../adapters/github-issues/github-issues.ts'
import { jira } from '../adapters/jira/jira.ts'
import { redmine } from '../adapters/redmine/redmine.ts'
import type { Config } from '#config/config.ts'

export function issueTrackerOf({ issueTracker: choice }: Config): IssueTracker | null {
  switch (choice.kind) {
    case 'none':
      return null
    case 'jira':
      return jira(choice)
    case 'github':
      return githubIssues({ ...choice, repository: choice.project })
    case 'redmine':
      return redmine(choice)
  }
}
