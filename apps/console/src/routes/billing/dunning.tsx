// How each legal entity deals with overdue invoices.
import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import * as api from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import { Rows } from '../../parts/rows.tsx'
import { type Action, type Column, isItem, type Item, textOf } from '../../resources/resource.ts'
import type { ScreenProps } from '../../screens.ts'
import { TEXTS } from './texts.ts'

const COMPANIES = ['entity_br', 'entity_global'] as const

const daysIn = (text: unknown): number[] =>
  textOf(text)
    .split(/[\s,;]+/)
    .filter((one) => one !== '')
    .map(Number)

/** What the form has no field for stays as it is: the rules by class. */
const CHANGE: Action = {
  name: 'adminUpdateDunning',
  operation: api.adminUpdateDunning,
  permission: 'finances:write',
  form: [
    {
      field: 'reminder_days',
      isRequired: true,
      first: ({ reminder_days }) => (Array.isArray(reminder_days) ? reminder_days.join(', ') : ''),
    },
    { field: 'grace_days', as: 'number', isRequired: true, first: ({ grace_days }) => grace_days },
    { field: 'suspends', as: 'yesNo', first: ({ suspends }) => suspends },
    { field: 'ends_after_days', as: 'number', first: ({ ends_after_days }) => ends_after_days },
    { field: 'ends_notice_days', as: 'number', first: ({ ends_notice_days }) => ends_notice_days },
    {
      field: 'ends_act',
      chooses: { values: ['write_off', 'cancel_all'] },
      first: ({ ends_act }) => ends_act,
    },
    { field: 'bills_without_access', as: 'yesNo', first: ({ bills_without_access }) => bills_without_access ?? true },
    { field: 'fine_percent', as: 'money', first: ({ fine_percent }) => fine_percent },
    {
      field: 'monthly_interest_percent',
      as: 'money',
      first: ({ monthly_interest_percent }) => monthly_interest_percent,
    },
    { field: 'starts_on', as: 'date', first: ({ starts_on }) => starts_on, clears: true },
  ],
  shape: ({ starts_on, reminder_days, ends_after_days, ends_notice_days, ends_act, ...given }, { classes }) => ({
    starts_on,
    schedule: {
      ...given,
      reminder_days: daysIn(reminder_days),
      ...(classes !== undefined && { classes }),
      ends:
        ends_after_days === undefined
          ? null
          : {
              after_days: ends_after_days,
              notice_days: ends_notice_days ?? 0,
              act: ends_act === 'cancel_all' ? 'cancel' : 'write_off',
            },
    },
  }),
}

const COLUMNS: readonly Column[] = [
  { field: 'reminder_days' },
  { field: 'grace_days', as: 'number' },
  { field: 'suspends', as: 'yesNo' },
  { field: 'ends_after_days', as: 'number' },
  { field: 'ends_notice_days', as: 'number' },
  { field: 'ends_act', as: 'value' },
  { field: 'bills_without_access', as: 'yesNo' },
  { field: 'fine_percent' },
  { field: 'monthly_interest_percent' },
  { field: 'starts_on', as: 'date' },
]

export function Screen({ here }: ScreenProps) {
  const { texts } = usePerson()
  return (
    <Stack>
      <Title order={1} size="h2">
        {texts.screens.dunning}
      </Title>
      {COMPANIES.map((company) => (
        <Schedule key={company} here={here} company={company} />
      ))}
    </Stack>
  )
}

type ScheduleProps = Pick<ScreenProps, 'here'> & { company: (typeof COMPANIES)[number] }

function Schedule({ here, company }: ScheduleProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const {
    data: read,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: ['all', 'dunning', company],
    queryFn: () => here.client.answer(api.adminGetDunning, { company }),
  })
  const data = read?.data
  const record: Item = data ? { ...flat(data.schedule), starts_on: data.starts_on } : {}
  const classes = Object.entries(data?.schedule.classes ?? {}).map(([name, rules]) => ({ ...flat(rules), class: name }))
  return (
    <Card withBorder component="section">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {texts.values[company]}
          </Title>
          {data && (
            <Group>
              <Acts
                actions={[CHANGE]}
                client={here.client}
                place={here}
                scope="finances"
                record={record}
                at={{ company }}
                etag={read?.etag}
              />
            </Group>
          )}
        </Group>
        {error && <Problem error={error} retry={() => void refetch()} />}
        {isPending && !error && <Skeleton height={160} aria-hidden />}
        {data && <Facts columns={COLUMNS} record={record} />}
        {classes.length > 0 && (
          <>
            <Text fw={600}>{own.classes}</Text>
            <Rows columns={[{ field: 'class', as: 'value' }, ...COLUMNS.slice(0, 6)]} items={classes} />
          </>
        )}
      </Stack>
    </Card>
  )
}

/** The end of the arrears beside the rest. */
function flat(schedule: object): Item {
  const given: Item = { ...schedule }
  const ends = isItem(given['ends']) ? given['ends'] : {}
  return {
    ...given,
    ends_after_days: ends['after_days'],
    ends_notice_days: ends['notice_days'],
    ends_act: ends['act'] === 'cancel' ? 'cancel_all' : ends['act'],
  }
}
