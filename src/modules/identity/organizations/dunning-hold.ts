// The hold of reminders and suspension for an organization, which staff set (docs/decisions/0057).
import { Type, type Static } from 'typebox'
import { CalendarDate, Closed, Id } from '#kernel/values/schema.ts'

export const DunningHold = Type.Object(
  {
    until: { ...CalendarDate, description: 'The last day, by the calendar of the legal entity' },
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', examples: ['Payment plan agreed on'] }),
    restores: Type.Boolean({ description: 'What is suspended for an overdue invoice is active meanwhile' }),
  },
  { description: 'Until when staff have put off reminders and suspension' },
)
export type DunningHold = Static<typeof DunningHold>
export const NewDunningHold = Closed({
  organization_id: Type.Optional(Id),
  until: DunningHold.properties.until,
  reason: DunningHold.properties.reason,
  restores: Type.Optional({ ...DunningHold.properties.restores, default: false }),
})
export type NewDunningHold = Static<typeof NewDunningHold>
