// What may be done with tickets: by staff at their desk, and by customers.
import * as api from '@titular/sdk'
import { type Action, type Field, isOneOf, type Item, textOf } from './resource.ts'

export const STATUSES = ['open', 'in_progress', 'waiting', 'resolved', 'closed', 'cancelled'] as const
export const PRIORITIES = ['low', 'normal', 'high', 'urgent']

/** What a ticket may become; the others have ended. test/console/tickets.test.ts compares this with the service. */
export const MOVES: Readonly<Record<string, readonly string[]>> = {
  open: ['in_progress', 'waiting', 'resolved', 'closed', 'cancelled'],
  in_progress: ['waiting', 'resolved', 'closed', 'cancelled'],
  waiting: ['in_progress', 'resolved', 'closed', 'cancelled'],
  resolved: ['closed', 'open'],
}

export const isGoing = isOneOf(...Object.keys(MOVES))
export const hasIssue = ({ tracker_key, tracker_url }: Item): boolean => Boolean(tracker_key) || Boolean(tracker_url)
export const isLate = ({ first_response_breached, resolution_breached }: Item): boolean =>
  first_response_breached === true || resolution_breached === true

const assignees = {
  list: api.adminListTeamAssignees,
  labelOf: ({ name, open_tickets }: Item) => `${textOf(name)} (${textOf(open_tickets)})`,
  idOf: ({ user_id }: Item) => user_id,
}
const team: Field = {
  field: 'team_id',
  chooses: { list: api.adminListTeams, labelOf: ({ name }) => textOf(name) },
  first: ({ team_id }) => team_id,
  clears: true,
}

/** What staff do; customers close, cancel and reopen. */
const ofStaff: readonly Action[] = [
  {
    name: 'takeTicket',
    isBulk: true,
    operation: api.updateTicket,
    permission: 'tickets:write',
    isOffered: (record, { id }) => isGoing(record) && record['assignee_id'] !== id,
    bodyOf: (_record, { id }) => ({ assignee_id: id }),
    isMain: true,
  },
  {
    name: 'updateTicketStatus',
    isBulk: true,
    operation: api.updateTicketStatus,
    permission: 'tickets:write',
    isOffered: isGoing,
    form: [
      {
        field: 'status',
        isRequired: true,
        chooses: { values: STATUSES },
        // Several at once may have several statuses.
        offers: (to, { status }) => MOVES[textOf(status)]?.includes(to) ?? true,
      },
      { field: 'note', as: 'long' },
    ],
    bodyOf: ({ status }) => ({ from_status: status }),
  },
  {
    name: 'assignTicket',
    isBulk: true,
    operation: api.updateTicket,
    permission: 'tickets:write',
    isOffered: isGoing,
    form: [
      {
        field: 'assignee_id',
        as: 'number',
        chooses: assignees,
        first: ({ assignee_id }) => assignee_id,
        clears: true,
      },
      team,
    ],
  },
  {
    name: 'updateTicket',
    operation: api.updateTicket,
    permission: 'tickets:write',
    isOffered: isGoing,
    form: [
      { field: 'title', isRequired: true, first: ({ title }) => title },
      { field: 'priority', isRequired: true, chooses: { values: PRIORITIES }, first: ({ priority }) => priority },
      { field: 'external_id', first: ({ external_id }) => external_id, clears: true },
    ],
  },
  {
    name: 'createTicketIssue',
    operation: api.createTicketIssue,
    permission: 'tickets:write',
    isOffered: (record) => isGoing(record) && !hasIssue(record),
    form: [{ field: 'key' }, { field: 'url' }, { field: 'title' }, { field: 'description', as: 'long' }],
    body: {},
  },
  {
    name: 'watchTicket',
    operation: api.createTicketWatcher,
    permission: 'tickets:write',
    isOffered: isGoing,
    form: [{ field: 'user_id', as: 'number', isRequired: true, chooses: assignees }],
  },
]

/** Of customers, who have the scope of tickets. */
const ofMembers: readonly Action[] = [
  {
    name: 'rateTicket',
    operation: api.rateTicket,
    scope: 'entitlements',
    isMembers: true,
    isOffered: isOneOf('resolved', 'closed'),
    form: [
      { field: 'rating', chooses: { values: ['good', 'bad'] }, isRequired: true },
      { field: 'comment', as: 'long' },
    ],
  },
  {
    name: 'closeTicket',
    isBulk: true,
    operation: api.updateTicketStatus,
    scope: 'tickets',
    isMembers: true,
    isOffered: isOneOf('open', 'in_progress', 'waiting', 'resolved'),
    bodyOf: ({ status }) => ({ status: 'closed', from_status: status }),
  },
  {
    name: 'reopenTicket',
    operation: api.updateTicketStatus,
    scope: 'tickets',
    isMembers: true,
    isOffered: isOneOf('resolved'),
    bodyOf: ({ status }) => ({ status: 'open', from_status: status }),
  },
]

export const ticketActions: readonly Action[] = [...ofStaff, ...ofMembers]
