// The schedule by which a legal entity dunns: reminders, grace, suspension, and its fine and interest
// (docs/decisions/0057).
import { Type, type Static } from 'typebox'
import { CLASSES, type EntitlementClass } from '#modules/delivery/entitlements/entitlement.ts'
import type { Company } from '#kernel/values/schema.ts'
import { CalendarDate, Closed, Company as CompanySchema, Nullable, Percent, Timestamp } from '#kernel/values/schema.ts'

const steps = {
  reminder_days: Type.Array(Type.Integer({ minimum: -60, maximum: 365, examples: [7] }), {
    maxItems: 12,
    uniqueItems: true,
    description: 'When the customer is reminded: days after the due date, before it when negative',
    examples: [[-3, 1, 7, 14]],
  }),
  grace_days: Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'How many days after the due date what the invoice pays for is suspended',
    examples: [15],
  }),
  suspends: Type.Boolean({ description: 'False: nothing is suspended for an overdue invoice' }),
}
const ends = Type.Optional(
  Nullable(
    Closed(
      {
        after_days: Type.Integer({ minimum: 1, maximum: 730, description: 'Days after the due date', examples: [90] }),
        notice_days: Type.Integer({
          minimum: 1,
          maximum: 90,
          description: 'So many days before, or more, the customer is told by mail; fewer than `after_days`',
          examples: [15],
        }),
        act: Type.Enum(['write_off', 'cancel'], {
          description:
            '`write_off`: the invoice becomes `uncollectible`; `cancel`: its subscription ends too, so that nothing ' +
            'more is billed',
          examples: ['cancel'],
        }),
      },
      { description: 'What ends the arrears; null or left out: nothing does' },
    ),
  ),
)
const Steps = Closed({ ...steps, ends })
export type Steps = Static<typeof Steps>

const own = Type.Optional(Steps)
const classes = Closed(
  { PLG: own, ENV: own, SVC: own, ORD: own, AFL: own, EDU: own },
  {
    description:
      'Instead, by class: of the entitlement for grace and suspension, of the lines, when they have only ' +
      'one, for reminders',
  },
)

export const DunningSchedule = Closed(
  {
    ...steps,
    ends,
    classes: Type.Optional(classes),
    bills_without_access: Type.Optional(
      Type.Boolean({
        description:
          'False: while all that a subscription renews is suspended for what is due, it is paused, and no further ' +
          'period is billed; true by default',
        examples: [false],
      }),
    ),
    fine_percent: Type.Optional(
      Nullable({ ...Percent, description: 'Of what is overdue, once; for `entity_br` only', examples: ['2.00'] }),
    ),
    monthly_interest_percent: Type.Optional(
      Nullable({ ...Percent, description: 'For 30 days, by the day; for `entity_br` only', examples: ['1.00'] }),
    ),
  },
  { description: 'Reminders, grace, suspension, fine and interest' },
)
export type DunningSchedule = Static<typeof DunningSchedule>

export const CompanyDunning = Type.Object(
  {
    company: CompanySchema,
    schedule: DunningSchedule,
    starts_on: Nullable({ ...CalendarDate, description: 'Invoices that were due before are left alone' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'How a legal entity deals with overdue invoices' },
)
export type CompanyDunning = Static<typeof CompanyDunning>

export const CompanyDunningChange = Closed({
  schedule: DunningSchedule,
  starts_on: Type.Optional(CompanyDunning.properties.starts_on),
})
export type CompanyDunningChange = Static<typeof CompanyDunningChange>

/** What holds for one of a legal entity's invoices. */
export type Terms = Pick<CompanyDunning, 'company' | 'schedule' | 'starts_on'>

export const isLeftAlone = ({ starts_on }: Terms, dueDate: string): boolean => starts_on !== null && dueDate < starts_on

/** Those of the class where it has its own. */
export const stepsOf = ({ schedule }: Terms, of: EntitlementClass | null): Steps =>
  (of === null ? undefined : schedule.classes?.[of]) ?? schedule

/** The class of all lines; null where they differ. */
export function classOf(lines: readonly { entitlement_class: string }[]): EntitlementClass | null {
  const [first, ...others] = new Set(lines.map((line) => line.entitlement_class))
  return others.length === 0 ? (CLASSES.find((one) => one === first) ?? null) : null
}

/** Fine and interest on arrears are what the law of Brazil knows as multa and juros de mora. */
export const hasLateCharges = (company: Company): boolean => company === 'entity_br'
