// Business hours, in which the deadlines of service levels run: of a legal entity, or agreed on by a contract.
import { Type, type Static } from 'typebox'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { Closed, Company, Nullable, Timestamp } from '#kernel/values/schema.ts'

/** In the order of ISO 8601. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Day = (typeof DAYS)[number]

const Hour = Type.String({ pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$', examples: ['09:00'] })
const Openings = Type.Optional(Type.Array(Closed({ from: Hour, to: Hour }), { maxItems: 12 }))
const Holiday = Type.String({ format: 'date', pattern: '^2[01]\\d\\d-', examples: ['2026-12-25'] })

export const BusinessHours = Closed(
  {
    time_zone: Type.String({
      format: 'time-zone',
      pattern: '^[A-Za-z]',
      maxLength: 64,
      description: 'Name of the IANA database',
      examples: ['America/Sao_Paulo'],
    }),
    weekly: Closed(
      {
        monday: Openings,
        tuesday: Openings,
        wednesday: Openings,
        thursday: Openings,
        friday: Openings,
        saturday: Openings,
        sunday: Openings,
      },
      { description: 'When each day is open, from the first opening to the last; a day without any is closed' },
    ),
    holidays: Type.Optional(
      Type.Array(Holiday, {
        maxItems: 400,
        uniqueItems: true,
        description: 'Days that are closed. When a contract has no list, those of the legal entity',
      }),
    ),
  },
  { description: 'When the deadlines of service levels run' },
)
export type BusinessHours = Static<typeof BusinessHours>

export const CompanyHours = Type.Object(
  {
    company: Company,
    business_hours: Nullable(BusinessHours),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'The business hours of a legal entity; null: round the clock' },
)
export type CompanyHours = Static<typeof CompanyHours>

export const CompanyHoursChange = Closed({ business_hours: Nullable(BusinessHours) })
export type CompanyHoursChange = Static<typeof CompanyHoursChange>

type WithHours = { business_hours?: BusinessHours | null }

/** What the schema cannot say of a body: openings in their order, and one at least. */
export function businessHoursRules({ business_hours: hours }: WithHours): Fields {
  if (hours === undefined || hours === null) return {}
  const problems: Fields = {}
  let isOpen = false
  for (const day of DAYS) {
    let closedAt = ''
    for (const [index, { from, to }] of (hours.weekly[day] ?? []).entries()) {
      const opening = `business_hours.weekly.${day}.${index}`
      if (to <= from) problems[`${opening}.to`] = 'must lie after from'
      if (from < closedAt) problems[`${opening}.from`] = 'must not lie before the end of the opening before it'
      closedAt = to
      isOpen = true
    }
  }
  if (!isOpen) problems['business_hours.weekly'] = 'must be open at some time'
  return problems
}
