// What a report is asked for. What the report does not take is refused by the service, so each is offered where it is taken.
import { Button, Group, Select, TextInput } from '@mantine/core'
import { ValidationError } from '@titular/sdk'
import { type FormEvent, useState } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import type { Search } from '../../parts/list.tsx'
import type { Here } from '../../place.ts'
import { nameOf } from '../../texts/texts.ts'
import { type ReportKind, type ReportName } from './kinds.ts'
import { periodOf } from './months.ts'
import { TEXTS } from './texts.ts'

const MONTHS = ['month_from', 'month_to'] as const
const MONEY = ['company', 'currency'] as const

/** In the order of the form; staff ask over all organizations for one of them too. */
const TAKEN: Readonly<Record<ReportName, readonly ParameterName[]>> = {
  billed: [...MONTHS, ...MONEY, 'class'],
  recognized: [...MONTHS, ...MONEY, 'class'],
  'recurring-revenue': [...MONTHS, ...MONEY],
  receivables: MONEY,
  'receivables-by-organization': MONEY,
  expiring: ['kind', 'days', ...MONEY, 'class'],
  'tax-invoices': MONTHS,
  'withheld-taxes': MONTHS,
  'ticket-service-levels': [...MONTHS, 'company', 'class'],
  'ticket-satisfaction': [...MONTHS, 'company'],
}

type ParameterName = 'month_from' | 'month_to' | 'company' | 'currency' | 'class' | 'kind' | 'days' | 'organization_id'

export const takesMonths = ({ name }: ReportKind): boolean => TAKEN[name].includes('month_to')

/** As the service takes what is not said. */
const usualOf = (search: Search): Readonly<Record<string, string>> => {
  const { first, last } = periodOf(search)
  return { month_from: first, month_to: last, days: '90' }
}

const CHOICES: Readonly<Partial<Record<ParameterName, readonly string[]>>> = {
  company: ['entity_br', 'entity_global'],
  class: ['PLG', 'ENV', 'SVC', 'ORD', 'AFL', 'EDU'],
  kind: ['entitlements', 'licenses', 'contracts', 'quotes'],
}

type ParametersProps = {
  here: Here
  kind: ReportKind
  search: Search
  error: unknown
  onSearch: (search: Search) => void
}

export function Parameters({ here, kind, search, error, onSearch }: ParametersProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const names = [...TAKEN[kind.name], ...(here.organization === null ? (['organization_id'] as const) : [])]
  const usual = usualOf(search)
  const [values, setValues] = useState(() => names.map((name) => String(search[name] ?? usual[name] ?? '')))
  const errors = error instanceof ValidationError ? error.fields : {}
  const labels = { ...texts.fields, ...own.columns }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    // What is shown without being asked for goes on with the time, until it is changed.
    const isUsual = names.every((name, at) => !(name in usual) || name in search || values[at] === usual[name])
    onSearch(
      Object.fromEntries(
        names.flatMap((name, at): [string, string][] => {
          const value = (values[at] ?? '').trim()
          return value === '' || (isUsual && !(name in search) && value === usual[name])
            ? []
            : [[name, name === 'currency' ? value.toUpperCase() : value]]
        }),
      ),
    )
  }
  return (
    <form onSubmit={submit} className="no-print">
      <Group align="flex-end">
        {names.map((name, at) => {
          const choices = CHOICES[name]
          const common = { label: nameOf(labels, name), error: errors[name], w: 160 }
          const set = (value: string): void => setValues(values.with(at, value))
          return choices ? (
            <Select
              key={name}
              {...common}
              clearable
              data={choices.map((value) => ({ value, label: nameOf(texts.values, value) }))}
              value={values[at] === '' ? null : (values[at] ?? null)}
              onChange={(chosen) => set(chosen ?? '')}
            />
          ) : (
            <TextInput
              key={name}
              {...common}
              type={name.startsWith('month') ? 'month' : 'text'}
              inputMode={name === 'days' || name === 'organization_id' ? 'numeric' : 'text'}
              value={values[at] ?? ''}
              onChange={(event) => set(event.currentTarget.value)}
            />
          )
        })}
        <Button type="submit">{own.show}</Button>
      </Group>
    </form>
  )
}
