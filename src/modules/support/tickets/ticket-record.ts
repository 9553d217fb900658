// What a ticket names, for `expand`.
import { OF_ORGANIZATION, PERSON, type RecordKind, TEAM } from '#kernel/data/record-kind.ts'
import { Ticket } from './ticket.ts'

export const ticketRecord: RecordKind = {
  name: 'ticket',
  schema: Ticket,
  relations: {
    ...OF_ORGANIZATION,
    entitlement: { kind: 'entitlement', by: 'entitlement_id' },
    environment: { kind: 'environment', by: 'environment_id' },
    service: { kind: 'service', by: 'service_id' },
    invoice: { kind: 'invoice', by: 'invoice_id' },
    order: { kind: 'order', by: 'order_id' },
    assignee: { named: PERSON, by: 'assignee_id' },
    watchers: { named: PERSON, by: 'watcher_ids' },
    team: { named: TEAM, by: 'team_id' },
  },
}
