// The milestone of a service: a step with a due date.
import { Type, type Static } from 'typebox'
import { CalendarDate, Closed, Id, Name, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

export const Milestone = Type.Object(
  {
    id: Id,
    service_id: Id,
    organization_id: Id,
    title: Name,
    due_date: Nullable(CalendarDate),
    done_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A step of a service' },
)
export type Milestone = Static<typeof Milestone>

export const NewMilestone = Closed({
  organization_id: Type.Optional(Id),
  title: Name,
  due_date: Type.Optional(Nullable(CalendarDate)),
  done_at: Type.Optional(Nullable(Timestamp)),
})
export type NewMilestone = Static<typeof NewMilestone>

export const MilestoneChange = Closed({
  organization_id: Type.Optional(Id),
  title: Type.Optional(Name),
  due_date: Type.Optional(Nullable(CalendarDate)),
  done_at: Type.Optional(Nullable(Timestamp)),
})
export type MilestoneChange = Static<typeof MilestoneChange>

export const ByMilestone = Closed({ id: Id, milestone_id: Id })

export const milestonesTable = table('milestones', 'milestone', Milestone)
