// The home of staff: what waits for them over all organizations, by kind, and who has it.
import { Anchor, Badge, Button, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import { adminListTickets } from '@titular/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import type { Search } from '../../parts/list.tsx'
import { Problem } from '../../parts/problem.tsx'
import { type Here, hereIn } from '../../place.ts'
import { filled } from '../../texts/texts.ts'
import { Entries } from '../queue/entries.tsx'
import { isKind } from '../queue/kinds.ts'
import { queueTexts } from '../queue/texts.ts'
import { queueCounts } from '../counts.tsx'
import { useChangeOfSearch } from '../where.ts'
import { FIRST_OF_QUEUE, queueIn } from './home-queries.ts'

const Pages = lazy(async () => ({ default: (await import('../../parts/pages.tsx')).Pages }))

const WHOSE = ['everybody', 'mine', 'nobody', 'snoozed'] as const

type Count = { kind: string; open: number; unassigned: number; snoozed: number }

export function StaffHome() {
  const { language, user, may } = usePerson()
  const own = useOwnTexts(queueTexts)
  const search: Search = useSearch({ strict: false })
  const onSearch = useChangeOfSearch()
  const here = hereIn(null, language)
  const whose = WHOSE.find((one) => one === search['whose']) ?? 'everybody'
  const counts = useQuery(queueCounts(here))
  const kind = isKind(search['kind']) ? search['kind'] : null
  const asked = {
    ...FIRST_OF_QUEUE,
    page: Number(search['page'] ?? 1),
    ...(kind !== null && { kind }),
    ...(whose === 'mine' && { assignee_id: user.id }),
    ...(whose === 'nobody' && { assigned: false }),
    ...(whose === 'snoozed' && { snoozed: true }),
  }
  const { data, error, isPending, refetch } = useQuery(queueIn(here, asked))
  const deadlines = useQuery({
    queryKey: [here.key, 'queue', 'deadlines'],
    enabled: may('tickets:read') && data?.data.some((one) => one.kind === 'tickets') === true,
    queryFn: async () =>
      new Map(
        (
          await here.client.call(adminListTickets, {
            status: ['open', 'in_progress', 'waiting'],
            sort: 'next_due_at',
            per_page: 100,
          })
        ).map(({ id, next_due_at }) => [id, next_due_at]),
      ),
  })
  const isSnoozed = whose === 'snoozed'
  const numberOf = (one: Count): number => (isSnoozed ? one.snoozed : whose === 'nobody' ? one.unassigned : one.open)
  const shown = counts.data?.counts.filter((one) => one.open + one.snoozed > 0 || one.kind === kind) ?? []
  const change = (changed: Search): void => onSearch({ ...search, page: undefined, ...changed })
  const pages = data?.meta?.pages ?? 1
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {own.title}
        </Title>
        <SegmentedControl
          aria-label={own.whose}
          size="xs"
          value={whose}
          onChange={(value) => change({ whose: value === 'everybody' ? undefined : value })}
          data={WHOSE.map((value) => ({ value, label: own[value] }))}
        />
      </Group>
      {shown.length > 0 && (
        <Group gap="xs" component="nav" aria-label={own.kind}>
          <Kind
            label={own.all}
            count={shown.reduce((sum, one) => sum + numberOf(one), 0)}
            isChosen={kind === null}
            onChoose={() => change({ kind: undefined })}
          />
          {shown.map((one) => (
            <Kind
              key={one.kind}
              label={nameOfKind(own.kinds, one.kind)}
              count={numberOf(one)}
              hint={filled(own.counted, { open: String(one.open), unassigned: String(one.unassigned) })}
              isChosen={kind === one.kind}
              onChoose={() => change({ kind: one.kind })}
            />
          ))}
        </Group>
      )}
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isPending && !error && <Skeleton height={240} aria-hidden />}
      {data?.data.length === 0 && <Text c="dimmed">{own.nothing}</Text>}
      {data && data.data.length > 0 && <Entries here={here} entries={data.data} deadlines={deadlines.data} />}
      {data && <TicketsOfNobody here={here} />}
      {pages > 1 && (
        <Suspense>
          <Pages pages={pages} page={asked.page} onPage={(page) => onSearch({ ...search, page })} />
        </Suspense>
      )}
    </Stack>
  )
}

/** Tickets wait here when a deadline is in danger; who may read them is told of those that nobody has taken, too. */
function TicketsOfNobody({ here }: { here: Here }) {
  const { may } = usePerson()
  const own = useOwnTexts(queueTexts)
  const { data } = useQuery({
    queryKey: [here.key, 'queue', 'tickets of nobody'],
    queryFn: may('tickets:read')
      ? () => here.client.answer(adminListTickets, { assigned: false, per_page: 1 })
      : skipToken,
  })
  const count = data?.meta?.total ?? 0
  if (count === 0) return null
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={`${here.path}/tickets`} search={{ assigned: 'false' }} />}>
      {filled(own.ticketsOfNobody, { count: String(count) })}
    </Anchor>
  )
}

const nameOfKind = (kinds: Readonly<Record<string, string>>, kind: string): string => kinds[kind] ?? kind

type KindProps = { label: string; count: number; hint?: string; isChosen: boolean; onChoose: () => void }

const Kind = ({ label, count, hint, isChosen, onChoose }: KindProps) => (
  <Button
    variant={isChosen ? 'filled' : 'default'}
    size="sm"
    aria-pressed={isChosen}
    title={hint}
    onClick={onChoose}
    rightSection={
      <Badge variant={isChosen ? 'white' : 'light'} size="sm">
        {count}
      </Badge>
    }
  >
    {label}
  </Button>
)
