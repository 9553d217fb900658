// What customers see of the events of services and milestones.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { Milestone, milestonesTable } from './milestone.ts'
import { Service, servicesTable } from './service.ts'

export const publishedServices = publishedResource(servicesTable, {
  scopes: ['entitlements'],
  record: Service,
  events: {
    created: 'A service was opened.',
    updated: 'A field of a service changed.',
    approved: 'A proposed service was approved.',
    started: 'Work on a service has begun, or goes on.',
    held: 'A service was put on hold.',
    delivered: 'A service was delivered; the customer accepts or rejects the delivery.',
    delivery_accepted: 'The customer accepted a delivery.',
    delivery_rejected: 'The customer rejected a delivery.',
    closed: 'A delivered service was closed.',
    cancelled: 'A service was cancelled.',
  },
})

export const publishedMilestones = publishedResource(milestonesTable, {
  scopes: ['entitlements'],
  record: Milestone,
  linkedCodes: (of) => sql`
    select t.entitlement_code as code from services t
     where ${of('t.organization_id')} and t.id = (e.data ->> 'service_id')::bigint`,
  events: { created: 'A milestone was added to a service.', updated: 'A milestone changed, or was reached.' },
})
