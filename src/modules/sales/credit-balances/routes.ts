// docs/interface/sales.md, Credit balances.
import { acrossItem } from '#kernel/data/lists/across.ts'
import { org, staff, vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Closed, Paging } from '#kernel/values/schema.ts'
import { changeByHand } from './change-credit-balance.ts'
import {
  CreditBalance,
  CreditBalanceChange,
  CreditBalanceEntry,
  AdministratorsCreditBalanceFilters,
  CreditBalanceFilters,
} from './credit-balance.ts'
import { creditBalances } from './queries.ts'

export const creditBalanceRoutes = [
  route({
    method: 'GET',
    path: '/credit-balances',
    access: org('finances'),
    purpose: 'List the credit balances of the organization.',
    description: 'One for each legal entity and currency that had one.',
    query: CreditBalanceFilters,
    page: CreditBalance,
    read: ({ org: id }, { query }) => creditBalances.page(id, query),
  }),
  route({
    method: 'GET',
    path: '/admin/credit-balances',
    access: vendor('finances'),
    purpose: 'List the credit balances of all organizations.',
    description: 'Newest first, those of nothing and of deleted organizations too.',
    query: AdministratorsCreditBalanceFilters,
    page: acrossItem(CreditBalance),
    features: { limitsOrganizations: true, mayBeStale: true },
    read: ({ organizations: only }, { query }) => creditBalances.pageOfAll(query, only),
  }),
  route({
    method: 'GET',
    path: '/credit-balances/{id}',
    access: org('finances'),
    purpose: 'Get a credit balance.',
    description:
      'An invoice that becomes open is paid from it by itself where it covers all that is due. What changed it is ' +
      'at `/entries`.',
    params: ById,
    data: CreditBalance,
    read: ({ org: id }, { params }) => creditBalances.byId(id, params.id),
  }),
  route({
    method: 'GET',
    path: '/credit-balances/{id}/entries',
    access: org('finances'),
    purpose: 'List what changed a credit balance.',
    description: 'Newest first, each with the balance after it.',
    params: ById,
    query: Closed(Paging),
    page: CreditBalanceEntry,
    read: ({ org: id }, { params, query }) => creditBalances.entries(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/credit-balances',
    access: staff('finances'),
    purpose: 'Add to a credit balance, or withdraw from it.',
    description: 'No money moves: it corrects what the customer has to their credit, such as for goodwill.',
    body: CreditBalanceChange,
    openapi: {
      example: {
        company: 'entity_br',
        currency: 'BRL',
        kind: 'added',
        amount: '50.00',
        reason: 'An outage in October',
      },
    },
    data: CreditBalance,
    fails: ['balance_too_high', 'balance_too_low'],
    run: async (ctx, { body }) => ({ data: await changeByHand(ctx, body), message: 'Credit balance changed' }),
  }),
]
