// Where an entitlement came from and what hangs on it, in one answer (docs/interface.md, Entitlements).
import { Type, type Static } from 'typebox'
import { Contract } from '#areas/contracts/contract.ts'
import { Environment } from '#areas/environments/environment.ts'
import { Invoice } from '#areas/invoices/invoice.ts'
import { License } from '#areas/licenses/license.ts'
import { OrderListItem } from '#areas/orders/order.ts'
import { QuoteListItem } from '#areas/quotes/quote.ts'
import { Service } from '#areas/services/service.ts'
import { Nullable } from '#kernel/schema.ts'

export const Lineage = Type.Object(
  {
    quote: Nullable(Type.Pick(QuoteListItem, ['id', 'number', 'status', 'total', 'currency', 'created_at'])),
    order: Nullable(
      Type.Pick(OrderListItem, ['id', 'number', 'status', 'total', 'currency', 'date_paid', 'date_created']),
    ),
    invoices: Nullable(
      Type.Array(Type.Pick(Invoice, ['id', 'number', 'status', 'total', 'currency', 'paid_at', 'issue_date'])),
    ),
    licenses: Nullable(
      Type.Array(
        Type.Pick(License, ['id', 'license_key', 'status', 'activations_limit', 'activations_count', 'expires_at']),
      ),
    ),
    environments: Nullable(
      Type.Array(Type.Pick(Environment, ['id', 'name', 'status', 'platform', 'environment_type', 'url'])),
    ),
    services: Nullable(Type.Array(Type.Pick(Service, ['id', 'name', 'status', 'lifecycle']))),
    contracts: Nullable(Type.Array(Type.Pick(Contract, ['id', 'title', 'status', 'start_date', 'end_date']))),
  },
  { description: 'A part is null when the caller lacks its scope (and for `quote` and `order` when there is none)' },
)
export type Lineage = Static<typeof Lineage>
