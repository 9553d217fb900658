// Contracts that end soon, or can be given notice.
import type { Action, ActionRow } from '#http/manifest/actions.ts'
import { sql } from '#kernel/values/sql.ts'
import { todayThere } from './queries.ts'

const SOON_DAYS = 30

export const contractActions: Action[] = [
  {
    kind: 'contract_ending',
    scope: 'contracts',
    resource: 'contract',
    does: 'Renew a contract, or let it end',
    rows: ({ org, today }) => sql<ActionRow>`
      select id, title as label, end_date as due_on from contracts
       where organization_id = ${org} and status = 'active' and end_date >= ${todayThere(today)}
         and coalesce(notice_date, end_date - ${SOON_DAYS}::integer) <= ${todayThere(today)}`,
  },
]
