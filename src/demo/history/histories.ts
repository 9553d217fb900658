// The three customers of the demo that have a history: what they are, and what has happened to them.
import { addMonths } from '#kernel/values/time/calendar.ts'
import type { DemoCustomer } from '../organizations.ts'
import type { Act } from './act.ts'
import { aurora } from './aurora.ts'
import { harbor } from './harbor.ts'
import { horizonte } from './horizonte.ts'

export const HISTORY_MONTHS = 18

/** `billing`: the member to whom bills are mailed. */
type History = DemoCustomer & { billing: string; months: number; acts(since: Date): Act[] }

export const HISTORIES = {
  horizonte: {
    organization: {
      name: 'Colégio Horizonte',
      legal_name: 'Colégio Horizonte Ltda.',
      cnpj: '31845012000140',
      country: 'BR',
      address: 'Rua das Araucárias',
      address_number: '410',
      neighborhood: 'Batel',
      city: 'Curitiba',
      state: 'PR',
      zipcode: '80420-000',
      ibge_code: '4106902',
      phone: '+55 41 5555-0142',
      type: 'company',
      website: 'https://www.horizonte.example',
      renewal_invoice_days: 10,
    },
    language: 'pt-BR',
    currency: 'BRL',
    months: HISTORY_MONTHS,
    billing: 'marina@horizonte.example',
    acts: horizonte,
  },
  aurora: {
    organization: {
      name: 'Livraria Aurora',
      legal_name: 'Aurora Livros e Papelaria Ltda.',
      cnpj: '27419338000139',
      country: 'BR',
      address: 'Rua da Aurora',
      address_number: '87',
      neighborhood: 'Boa Vista',
      city: 'Recife',
      state: 'PE',
      zipcode: '50050-000',
      ibge_code: '2611606',
      phone: '+55 81 5555-0117',
      type: 'company',
      website: 'https://www.aurora.example',
      renewal_invoice_days: 10,
    },
    language: 'pt-BR',
    currency: 'BRL',
    months: HISTORY_MONTHS - 1,
    billing: 'luana@aurora.example',
    acts: aurora,
  },
  harbor: {
    organization: {
      name: 'Harbor Analytics',
      legal_name: 'Harbor Analytics LLC',
      country: 'US',
      address: '12 Wharf Street',
      city: 'Boston',
      state: 'MA',
      zipcode: '02110',
      phone: '+1 617 555 0163',
      type: 'company',
      website: 'https://harbor.example',
      renewal_invoice_days: 10,
    },
    language: 'en',
    currency: 'USD',
    months: HISTORY_MONTHS,
    billing: 'grace@harbor.example',
    acts: harbor,
  },
} as const satisfies Record<string, History>
export type HistoryName = keyof typeof HISTORIES
export const HISTORY_NAMES = ['horizonte', 'aurora', 'harbor'] as const satisfies readonly HistoryName[]

export const beginningOf = (name: HistoryName, now: Date): Date => addMonths(now, -HISTORIES[name].months, 'UTC')

/** In their order, up to the end. */
export const actsOf = (name: HistoryName, { since, until }: { since: Date; until: Date }): Act[] =>
  HISTORIES[name]
    .acts(since)
    .filter(({ at }) => at < until)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
