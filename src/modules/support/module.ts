// Support: tickets, the teams and the texts with which staff answer them, how satisfied customers were, and the issues
// of tickets in a tracker.
import type { Module } from '#http/manifest/module.ts'
import type { Announcement } from '#modules/messages/notifications/announcement.ts'
import { answersByMailArea } from './answers-by-mail/area.ts'
import { mailSource } from './answers-by-mail/receive-mail.ts'
import { cannedRepliesArea } from './canned-replies/area.ts'
import { issueTrackerArea } from './issue-tracker/area.ts'
import { satisfactionArea } from './satisfaction/area.ts'
import { teamsArea } from './teams/area.ts'
import { ticketsArea } from './tickets/area.ts'
import { trackerSource } from './issue-tracker/handle-tracker-event.ts'
import { supportReasons } from './reasons.ts'

export const support: Module<Announcement> = {
  name: 'support',
  areas: [ticketsArea, teamsArea, cannedRepliesArea, satisfactionArea, answersByMailArea, issueTrackerArea],
  reasons: supportReasons,
  inboundSources: [trackerSource, mailSource],
  erasure: {
    working: [
      'ticket_issue_comments',
      'issue_references',
      'issue_syncs',
      'ticket_issues',
      'ticket_ratings',
      'ticket_history',
      'ticket_attachments',
      'ticket_comments',
      'tickets',
    ],
    people: {
      'tickets.created_by': { exports: 'row' },
      'tickets.assignee_id': { exports: 'reference' },
      'team_members.user_id': { exports: 'row' },
      'ticket_ratings.requester_id': { exports: 'row', erased: { comment: null } },
      'ticket_ratings.assignee_id': { exports: 'reference' },
      'ticket_comments.author_id': { exports: 'row', erased: { author_name: 'erased' } },
      'ticket_attachments.uploaded_by': { exports: 'row' },
      'ticket_history.changed_by': { exports: 'reference', erased: { changed_by_name: 'erased' } },
    },
  },
}
