// When tickets of a legal entity are answered: the hours of each day, and holidays. Without any it is round the clock.
import { Alert, Button, Group, Skeleton, Stack, Switch, Tabs, TagsInput, Text, TextInput, Title } from '@mantine/core'
import {
  type AdminBusinessHour,
  adminGetBusinessHours,
  adminUpdateBusinessHours,
  PreconditionError,
  ValidationError,
} from '@titular/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { noteFailure } from '../../client.ts'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { useBegun } from '../../parts/begun.tsx'
import { Problem } from '../../parts/problem.tsx'
import { REASON, useReason } from '../../parts/reason.tsx'
import type { ScreenProps } from '../../screens.ts'
import { hoursTexts } from './texts.ts'

const COMPANIES = ['entity_br', 'entity_global'] as const
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

type Hours = NonNullable<AdminBusinessHour['business_hours']>
type Draft = { timeZone: string; days: Readonly<Record<string, string>>; holidays: readonly string[] }

const AT_FIRST: Draft = {
  timeZone: 'America/Sao_Paulo',
  days: Object.fromEntries(DAYS.slice(0, 5).map((day) => [day, '09:00-18:00'])),
  holidays: [],
}

const writtenOf = ({ time_zone, weekly, holidays = [] }: Hours): Draft => ({
  timeZone: time_zone,
  days: Object.fromEntries(
    DAYS.map((day) => [day, (weekly[day] ?? []).map(({ from, to }) => `${from}-${to}`).join(', ')]),
  ),
  holidays,
})

/** `09:00-12:00, 13:00-18:00`; what is no time is refused by the service, by its name. */
const spansOf = (text: string): { from: string; to: string }[] =>
  text
    .split(',')
    .map((span) => span.trim())
    .filter((span) => span !== '')
    .map((span) => {
      const [from = '', to = ''] = span.split(/\s*[-–]\s*/)
      return { from: from.padStart(5, '0'), to: to.padStart(5, '0') }
    })

const hoursOf = ({ timeZone, days, holidays }: Draft): Hours => ({
  time_zone: timeZone,
  weekly: Object.fromEntries(
    DAYS.flatMap((day) => {
      const spans = spansOf(days[day] ?? '')
      return spans.length === 0 ? [] : [[day, spans]]
    }),
  ),
  holidays: [...holidays],
})

export function Screen({ here, rest }: ScreenProps) {
  const own = useOwnTexts(hoursTexts)
  const navigate = useNavigate()
  const company = COMPANIES.find((one) => one === rest) ?? 'entity_br'
  const { data, error, refetch } = useQuery({
    queryKey: [here.key, 'business-hours', company],
    queryFn: () => here.client.answer(adminGetBusinessHours, { company }),
  })
  return (
    <Stack>
      <Title order={1} size="h2">
        {own.title}
      </Title>
      <Text>{own.what}</Text>
      <Tabs value={company} onChange={(to) => void navigate({ to: `/all/business-hours/${to}` })}>
        <Tabs.List>
          {COMPANIES.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {own.companies[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={320} aria-hidden />}
      {data && <Form key={company} here={here} company={company} hours={data.data.business_hours} etag={data.etag} />}
    </Stack>
  )
}

type FormProps = Pick<ScreenProps, 'here'> & {
  company: (typeof COMPANIES)[number]
  hours: Hours | null
  etag: string | null
}

function Form({ here, company, hours, etag }: FormProps) {
  const { may } = usePerson()
  const own = useOwnTexts(hoursTexts)
  const queries = useQueryClient()
  /** Null until something is changed: what others save is shown then. */
  const [typed, setTyped] = useState<(Draft & { isAlways: boolean }) | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const reason = useReason(error)
  const begun = useBegun({ data: hours, etag }, error)
  const shown = typed ?? { ...(hours === null ? AT_FIRST : writtenOf(hours)), isAlways: hours === null }
  const { isAlways, ...written } = shown
  const change = (next: Partial<typeof shown>): void => {
    begun.begin()
    setTyped({ ...shown, ...next })
  }
  const isFixed = !may('settings:write')
  const fields = error instanceof ValidationError ? error.fields : {}
  const problemOf = (name: string): string | undefined =>
    Object.entries(fields).find(([field]) => field.startsWith(`business_hours.${name}`))?.[1]
  const reread = () => queries.invalidateQueries({ queryKey: [here.key, 'business-hours'] })
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setSaving(true)
    setError(null)
    try {
      const body = { business_hours: isAlways ? null : hoursOf(written) }
      await here.client.call(adminUpdateBusinessHours, { company, body }, { ...begun.options, ...reason.options })
      setTyped(null)
      begun.end()
      await reread()
    } catch (failure) {
      setError(failure)
      noteFailure(failure)
      if (failure instanceof PreconditionError) await reread()
    }
    setSaving(false)
  }
  return (
    <form onSubmit={(event) => void save(event)} noValidate>
      <Stack maw={560}>
        <Switch
          label={own.always}
          checked={isAlways}
          disabled={isFixed}
          onChange={(event) => change({ isAlways: event.currentTarget.checked })}
        />
        {!isAlways && (
          <>
            <TextInput
              label={own.timeZone}
              disabled={isFixed}
              error={problemOf('time_zone')}
              value={written.timeZone}
              onChange={(event) => change({ timeZone: event.currentTarget.value })}
            />
            {DAYS.map((day) => (
              <TextInput
                key={day}
                label={own.days[day]}
                placeholder={own.closed}
                disabled={isFixed}
                error={problemOf(`weekly.${day}`)}
                value={written.days[day] ?? ''}
                onChange={(event) => change({ days: { ...written.days, [day]: event.currentTarget.value } })}
              />
            ))}
            <TagsInput
              label={own.holidays}
              description={own.holidaysHelp}
              disabled={isFixed}
              error={problemOf('holidays')}
              value={[...written.holidays]}
              onChange={(holidays) => change({ holidays })}
            />
          </>
        )}
        {reason.field}
        {error instanceof ValidationError && !(REASON in error.fields) ? (
          <Alert color="red" role="alert">
            {own.wrong}
          </Alert>
        ) : (
          (begun.conflict ?? (error !== null && !(error instanceof ValidationError) && <Problem error={error} />))
        )}
        {!isFixed && (
          <Group>
            <Button type="submit" loading={isSaving}>
              {own.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  )
}
