// What the lists of invoices are filtered and sorted by.
import { type Static, Type } from 'typebox'
import { acrossFilters, acrossItem } from '#kernel/data/lists/across.ts'
import { AMOUNT, DATE, listing, TIME } from '#kernel/data/lists/listing.ts'
import { externalIdFilter } from '#kernel/values/integration.ts'
import { AnyOf, CalendarDate, Closed, Company, Id, Paging, PartFilter } from '#kernel/values/schema.ts'
import { Invoice, InvoiceStatus } from './invoice.ts'

const filters = {
  ...Paging,
  status: AnyOf(InvoiceStatus),
  date_from: Type.Optional(CalendarDate),
  date_to: Type.Optional(CalendarDate),
  overdue: Type.Optional(Type.Boolean({ enum: [true], description: 'Only those that are overdue' })),
}
export const invoiceListing = listing(
  { created_at: TIME, updated_at: TIME, issue_date: DATE, due_date: DATE, total: AMOUNT },
  'updated_at',
)
const listed = { ...filters, ...invoiceListing.parameters, ...externalIdFilter }
export const InvoiceFilters = Closed({ ...listed, entitlement_id: Type.Optional(Id) })
export type InvoiceFilters = Static<typeof InvoiceFilters>
/** Where the list is of an order. */
export const InvoiceFiltersOfOrder = Closed(listed)
export type InvoiceFiltersOfOrder = Static<typeof InvoiceFiltersOfOrder>

export const AdministratorsInvoice = acrossItem(Invoice)
export const AdministratorsInvoiceFilters = acrossFilters({
  ...listed,
  entitlement_id: Type.Optional(Id),
  company: Type.Optional(Company),
  search: PartFilter('the number or the organization’s name'),
})
export type AdministratorsInvoiceFilters = Static<typeof AdministratorsInvoiceFilters>
