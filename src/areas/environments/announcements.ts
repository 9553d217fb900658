// The mails about maintenance windows, to members with the scope `entitlements`.
import { announcement } from '#areas/notifications/announcement.ts'
import { portalLink } from '#areas/notifications/portal-link.ts'
import { membersWith } from '#areas/notifications/recipients.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { maintenanceWindows, type WindowFacts } from './maintenance-queries.ts'
import { maintenanceWindowsTable } from './maintenance-window.ts'

const { events } = maintenanceWindowsTable
const about = {
  audience: membersWith('entitlements'),
  facts: maintenanceWindows.mailFacts,
  link: ({ environment_id }: WindowFacts, io: IoContext) => portalLink(io, 'environment', environment_id),
}

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
  ...about,
  mail: 'maintenance-scheduled',
  event: events.created,
  content: (facts, common) => (isOff(facts) ? null : { ...common, ...timesOf(facts) }),
})

const maintenanceChanged = announcement({
  ...about,
  mail: 'maintenance-changed',
  event: events.updated,
  content: (facts, common) => (isOff(facts) ? null : { ...common, ...timesOf(facts) }),
})

const maintenanceCancelled = announcement({
  ...about,
  mail: 'maintenance-cancelled',
  event: events.cancelled,
  content: (facts, common) => (isGone(facts) ? null : { ...common, ...timesOf(facts) }),
})

export const environmentAnnouncements = [maintenanceScheduled, maintenanceChanged, maintenanceCancelled]
