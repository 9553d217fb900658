// Whether an invoice is overdue: open past its due date, by the calendar of its legal entity. It follows from the time,
// so it is no column.
import { dayIn } from '#kernel/values/time/calendar.ts'
import type { Settings } from '#kernel/data/context.ts'
import { sql, type Statement } from '#kernel/values/sql.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'

/** The day of each legal entity. */
export type Today = Readonly<Record<Company, string>>

export const todayAt = (now: Date, settings: Settings): Today => ({
  entity_br: dayIn(now, zoneOf({ settings }, 'entity_br')),
  entity_global: dayIn(now, zoneOf({ settings }, 'entity_global')),
})

/** Of the statement's only table `invoices`. */
export const isOverdue = ({ entity_br, entity_global }: Today): Statement => sql`
  (status = 'open' and amount_due > 0
    and due_date < case company when 'entity_br' then ${entity_br}::date else ${entity_global}::date end)`
