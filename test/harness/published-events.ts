// Checks every event that a test writes against the catalogue: its data against the schema of its type, and that no event
// of a published record is missing there.
import { AREAS } from '../../src/modules.ts'
import { createCatalogue } from '#modules/messages/events/catalogue.ts'
import { publicEvent } from '#modules/messages/events/public-event.ts'
import type { StoredEvent } from '#modules/messages/events/stored-event.ts'
import { checkOf, oddTime } from './contract.ts'
import type { TestDatabase } from './database.ts'

const catalogue = createCatalogue(AREAS.flatMap(({ published }) => published))

/** Resources whose events customers never see, and why. */
export const NEVER_PUBLISHED: Readonly<Record<string, string>> = {
  ticket_status: 'The ticket’s own event says the same',
  statement_entry: 'The commission’s or payout’s own event says the same',
  document_version: 'The document’s own event says the same',
  document_share: 'Whoever has the link may read it, so that only who made it knows of it',
  organization_export: 'An owner asked for it and waits for it',
  audit_export: 'An owner asked for it and waits for it',
  quote_link: 'Whoever has the link may answer the quote; the quote’s own event says who did',
  ticket_rating: 'Whoever rated and staff alone see it',
  crm_proposal: 'Between the vendor and its CRM',
  contract_history: 'The contract’s own event says the same',
  tax_invoice_document: 'The tax invoice’s own event says that it was issued or cancelled',
  filed_document: 'How the service keeps its documents; the record’s own event says that it is final',
}

/** Types of published resources that customers never see, and why. */
export const NEVER_VISIBLE: Readonly<Record<string, string>> = {
  'titular/quote/created': 'of a draft',
  'titular/invoice/redrafted': 'of a draft',
  'titular/ticket/team_changed': 'how the vendor’s staff divide their work',
}

const checks = new Map<string, (data: unknown) => string | null>()

function problemOf(event: StoredEvent): string | null {
  const { type, resource, data } = event
  const known = catalogue.ofStored.get(type)
  if (!known && type in NEVER_VISIBLE) return null
  if (!known) {
    const of = catalogue.published.find(({ table }) => table.resource === resource)
    if (!of) return resource in NEVER_PUBLISHED ? null : 'is neither published nor listed with a reason'
    return of.isVisible(data) ? 'is visible to customers and not in the catalogue' : null
  }
  const check = checks.get(type) ?? checkOf(known.kind.schema)
  checks.set(type, check)
  const made = publicEvent(catalogue, { ...event, linked_codes: [] })
  return made?.data ? (check(made.data) ?? oddTime(made.data)) : null
}

/** Throws for the events that the service wrote; those that a test wrote by itself have no audit entry. */
export async function checkEvents(database: TestDatabase): Promise<void> {
  const events = await database.query<StoredEvent>(`select e.* from events e
     where exists (select 1 from audit_log a where a.organization_id = e.organization_id and a.resource = e.resource
                      and a.resource_id = e.resource_id and e.type = 'titular/' || a.resource || '/' || a.action)`)
  const problems = new Set<string>()
  for (const event of events) {
    const problem = problemOf(event)
    if (problem !== null) problems.add(`${event.type}: ${problem}`)
  }
  if (problems.size > 0) throw new Error(`Against the catalogue of events:\n${[...problems].join('\n')}`)
}
