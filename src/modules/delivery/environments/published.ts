// What customers see of the events of environments and of their maintenance.
import { publishedResource } from '#kernel/data/published.ts'
import { sql } from '#kernel/values/sql.ts'
import { Environment, environmentsTable } from './environment.ts'
import { MaintenanceWindow, maintenanceWindowsTable } from './maintenance-window.ts'

export const publishedEnvironments = publishedResource(environmentsTable, {
  scopes: ['entitlements'],
  record: Environment,
  events: {
    created: 'An environment was made.',
    updated: 'A field of an environment changed.',
    provisioning_queued: 'The provisioning system is about to be asked for the `provisioning_act`.',
    provisioning_requested: 'The provisioning system has accepted the request.',
    provisioning_delayed: 'The provisioning system has not answered yet.',
    provisioning_failed: 'The provisioning system has not done what it was asked for.',
    provisioning_dropped: 'A request was withdrawn before it was made.',
    provisioned: 'The provisioning system has set an environment up.',
    provisioning_confirmed: 'The provisioning system, or staff, confirmed an act that is not the first.',
    activated: 'An environment runs.',
    maintenance: 'The maintenance of an environment has begun.',
    suspended: 'An environment was suspended.',
    resumed: 'A suspended environment runs again.',
    decommissioned: 'An environment was taken down for good.',
  },
})

export const publishedMaintenanceWindows = publishedResource(maintenanceWindowsTable, {
  scopes: ['entitlements'],
  record: MaintenanceWindow,
  linkedCodes: (of) => sql`
    select t.entitlement_code as code from environments t
     where ${of('t.organization_id')} and t.id = (e.data ->> 'environment_id')::bigint`,
  events: {
    created: 'Maintenance of an environment was planned.',
    updated: 'Planned maintenance changed.',
    started: 'Planned maintenance has begun.',
    ended: 'Planned maintenance is over.',
    cancelled: 'Planned maintenance was cancelled.',
  },
})
