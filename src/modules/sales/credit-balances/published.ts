// What customers see of the events of their credit balances.
import { publishedResource } from '#kernel/data/published.ts'
import { CreditBalance, CreditBalanceEntry, creditBalanceEntriesTable, creditBalancesTable } from './credit-balance.ts'

export const publishedCreditBalances = publishedResource(creditBalancesTable, {
  scopes: ['finances'],
  record: CreditBalance,
  events: {
    created: 'An organization has a credit balance for the first time.',
    updated: 'A credit balance changed.',
  },
})

export const publishedCreditBalanceEntries = publishedResource(creditBalanceEntriesTable, {
  scopes: ['finances'],
  record: CreditBalanceEntry,
  events: { created: 'Something was added to a credit balance, or taken from it.' },
})
