// The mails about maintenance windows, to members with the scope `entitlements`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { maintenanceWindows, type WindowFacts } from './maintenance-queries.ts'
import { maintenanceWindowsTable } from './maintenance-window.ts'

const { events } = maintenanceWindowsTable
const shared = {
  contact: 'technical',
  audience: membersWith('entitlements'),
  facts: maintenanceWindows.mailFacts,
  about: ({ environment_id: id }: WindowFacts) => ({ record: 'environment', id }) as const,
} as const

const timesOf = ({ environment_name, starts_at, ends_at, note }: WindowFacts) => ({
  environmentName: environment_name,
  startsAt: starts_at,
  endsAt: ends_at,
  note,
})
const isGone = ({ environment_status }: WindowFacts): boolean => environment_status === 'decommissioned'
/** A cancelled window is not announced. */
const isOff = (facts: WindowFacts): boolean => isGone(facts) || facts.status === 'cancelled'

const maintenanceScheduled = announcement({
  ...shared,
  mail: 'maintenance-scheduled',
  event: events.created,
  content: (facts, common) => (isOff(facts) ? null : { ...common, ...timesOf(facts) }),
})

const maintenanceChanged = announcement({
  ...shared,
  mail: 'maintenance-changed',
  event: events.updated,
  content: (facts, common) => (isOff(facts) ? null : { ...common, ...timesOf(facts) }),
})

const maintenanceCancelled = announcement({
  ...shared,
  mail: 'maintenance-cancelled',
  event: events.cancelled,
  content: (facts, common) => (isGone(facts) ? null : { ...common, ...timesOf(facts) }),
})

export const environmentAnnouncements = [maintenanceScheduled, maintenanceChanged, maintenanceCancelled]
