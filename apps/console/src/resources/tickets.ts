// The ticket desk: tickets of customers, with their conversation, deadlines, files and issue.
import * as api from '@titular/sdk'
import { hasIssue, isGoing, isLate, PRIORITIES, STATUSES, ticketActions } from './desk.ts'
import { isItem, isOneOf, type Item, itemsOf, nameIn, type Declaration, textOf } from './resource.ts'
import type { TimeBar } from './section.ts'

export const tickets: Declaration = {
  organization: {
    list: api.listTickets,
    get: api.getTicket,
    creates: {
      name: 'createTicket',
      operation: api.createTicket,
      form: [
        {
          field: 'entitlement_id',
          chooses: {
            list: api.listEntitlements,
            // Customers open tickets about their environments; about a service, or something else, at its record.
            parameters: { status: ['active'], class: ['ENV'] },
            labelOf: ({ code, product_name }) => `${textOf(code)} ${textOf(product_name)}`,
          },
        },
        { field: 'title', isRequired: true },
        { field: 'description', as: 'long' },
      ],
    },
  },
  all: { list: api.adminListTickets },
  titleOf: ({ number, title }) => `${textOf(number)} ${textOf(title)}`,
  expands: 'assignee,team,watchers',
  columns: [
    { field: 'number', as: 'code' },
    { field: 'title' },
    { field: 'status', as: 'status' },
    { field: 'priority', as: 'value' },
    { field: 'assignee_id', of: (record) => nameIn(record, 'assignee', 'assignee_id'), isStaffs: true },
    { field: 'next_due_at', as: 'deadline' },
    { field: 'updated_at', as: 'time' },
  ],
  details: [
    { field: 'description' },
    { field: 'entitlement_code', as: 'code' },
    { field: 'team_id', of: (record) => nameIn(record, 'team', 'team_id'), isStaffs: true },
    { field: 'first_response_due_at', as: 'time' },
    { field: 'first_responded_at', as: 'time' },
    { field: 'resolution_due_at', as: 'time' },
    { field: 'resolved_at', as: 'time' },
    { field: 'is_late', as: 'yesNo', of: (record) => (isLate(record) ? true : null) },
    { field: 'tracker_key', as: 'code', isStaffs: true },
    { field: 'tracker_url', as: 'link', isStaffs: true },
    { field: 'watchers', as: 'number', of: ({ watcher_ids }) => (Array.isArray(watcher_ids) ? watcher_ids.length : 0) },
    { field: 'external_id', as: 'code' },
    { field: 'created_at', as: 'time' },
  ],
  timeBar: deadlinesOf,
  statuses: STATUSES,
  filters: [{ field: 'priority', values: PRIORITIES }],
  views: [
    { name: 'mine', search: (id) => ({ assignee_id: id, status: 'open,in_progress,waiting', sort: 'next_due_at' }) },
    { name: 'nobody', search: () => ({ assigned: 'false' }) },
    { name: 'next', search: () => ({ status: 'open,in_progress', sort: 'next_due_at' }) },
    { name: 'waiting', search: () => ({ status: 'waiting', sort: 'updated_at' }) },
  ],
  searches: true,
  sorts: ['next_due_at', 'updated_at'],
  conversation: { list: api.listTicketComments, add: api.createTicketComment, canned: api.getTicketCannedReplies },
  actions: ticketActions,
  sections: [
    {
      name: 'satisfaction',
      list: api.getTicketSatisfaction,
      columns: [
        { field: 'rating', as: 'value' },
        { field: 'comment' },
        { field: 'asked_at', as: 'time' },
        { field: 'rated_at', as: 'time' },
      ],
      isShown: isOneOf('resolved', 'closed'),
      isFolded: () => true,
    },
    {
      name: 'attachments',
      list: api.listTicketAttachments,
      columns: [
        { field: 'name' },
        { field: 'size', as: 'bytes' },
        { field: 'internal', as: 'yesNo', isStaffs: true },
        { field: 'created_at', as: 'time' },
      ],
      // The names of who has it are a request too.
      isFolded: ({ assignee_id, team_id }) => Boolean(assignee_id) || Boolean(team_id),
      creates: {
        name: 'createTicketAttachment',
        operation: api.createTicketAttachment,
        scope: 'tickets',
        isOffered: isGoing,
        form: [
          { field: 'file', as: 'file', isRequired: true },
          { field: 'internal', as: 'yesNo', isStaffs: true },
        ],
      },
      papers: [
        {
          name: 'download',
          operation: api.downloadTicketAttachment,
          at: ({ id }, row) => ({ id, attachment_id: row['id'] }),
        },
      ],
      actions: [
        {
          name: 'deleteTicketAttachment',
          operation: api.deleteTicketAttachment,
          scope: 'tickets',
          at: ({ id }) => ({ attachment_id: id }),
          isDangerous: true,
        },
      ],
    },
    {
      name: 'history',
      list: api.listTicketHistory,
      columns: [
        { field: 'changed_at', as: 'time' },
        { field: 'from_status', as: 'status' },
        { field: 'to_status', as: 'status' },
        { field: 'changed_by_name', as: 'actor' },
        { field: 'note' },
      ],
      isFolded: () => true,
    },
    {
      name: 'watchers',
      rowsOf: ({ expanded }) => (isItem(expanded) ? itemsOf(expanded['watchers']) : []),
      permission: 'tickets:read',
      columns: [{ field: 'watcher', of: ({ name }) => name }],
      isShown: ({ watcher_ids }) => Array.isArray(watcher_ids) && watcher_ids.length > 0,
      isFolded: () => true,
      actions: [
        {
          name: 'unwatchTicket',
          operation: api.deleteTicketWatcher,
          permission: 'tickets:write',
          at: ({ id }) => ({ user_id: id }),
        },
      ],
    },
    {
      name: 'issue',
      list: api.getTicketIssue,
      scope: 'tickets',
      columns: [
        { field: 'key', as: 'code' },
        { field: 'tracker' },
        { field: 'status' },
        { field: 'sync_state', as: 'status' },
        { field: 'sync_error', isStaffs: true },
        { field: 'url', as: 'link' },
      ],
      isShown: hasIssue,
      isFolded: () => true,
      actions: [
        { name: 'syncTicketIssue', operation: api.syncTicketIssue, permission: 'tickets:write', at: ticketOf },
        {
          name: 'deleteTicketIssue',
          operation: api.deleteTicketIssue,
          reads: api.getTicketIssue,
          permission: 'tickets:write',
          at: ticketOf,
          isDangerous: true,
        },
      ],
    },
  ],
}

/** An issue is named by its ticket. */
function ticketOf({ ticket_id }: Item): Item {
  return { id: ticket_id }
}

/** Until when it has to be answered and resolved, and when it was. */
function deadlinesOf(ticket: Item): TimeBar | null {
  const { first_response_due_at: answer, resolution_due_at: solution } = ticket
  if (typeof answer !== 'string' && typeof solution !== 'string') return null
  const late = { first_response_due_at: 'first_response_breached', resolution_due_at: 'resolution_breached' }
  const moments = [
    ['created_at', 'first_response_due_at', 'first_responded_at', 'resolution_due_at', 'resolved_at'].map((name) => ({
      name,
      at: textOf(ticket[name]),
      isLate: Object.entries(late).some(([due, flag]) => due === name && ticket[flag] === true),
    })),
    isGoing(ticket) ? { name: 'now', at: new Date().toISOString() } : [],
  ].flat()
  return { moments: moments.filter(({ at }) => at !== '') }
}
