// Issues of tickets in the vendor's issue tracker.
import { area } from '#http/manifest/area.ts'
import { issueTrackerConsumers, issueTrackerJobs } from './jobs.ts'
import { publishedTicketIssues } from './published.ts'
import { issueTrackerRoutes } from './routes.ts'
import { ticketIssuesTable } from './ticket-issue.ts'

export const issueTrackerArea = area({
  name: 'issue-tracker',
  description: 'Issues of tickets in the vendor’s issue tracker.',
  routes: issueTrackerRoutes,
  jobs: issueTrackerJobs,
  consumers: issueTrackerConsumers,
  published: [publishedTicketIssues],
  tables: [ticketIssuesTable.name, 'issue_syncs', 'ticket_issue_comments', 'issue_references'],
})
