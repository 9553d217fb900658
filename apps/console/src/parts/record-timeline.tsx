// What happened to a record, of several kinds in one list, the latest first: what its state became, payments, mails, tickets.
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useOwnTexts, usePerson } from '../context.tsx'
import { type Here, isSeen } from '../place.ts'
import { kindByName } from '../resources/directory.ts'
import { type Item, itemsOf, textOf } from '../resources/resource.ts'
import type { TimelineSource } from '../resources/section.ts'
import { ownTexts, timeIn } from '../texts/texts.ts'
import { Problem } from './problem.tsx'
import { Value } from './value.tsx'

type RecordTimelineProps = { sources: readonly TimelineSource[]; here: Here; record: Item }

const PER_PAGE = 100
/** Of each kind. */
const MOST_PAGES = 10

type Page = { data: unknown; meta?: { pages?: number | null } | null }

async function allOf(read: (page: number) => Promise<Page>): Promise<{ rows: readonly Item[]; isWhole: boolean }> {
  const first = await read(1)
  const pages = first.meta?.pages ?? 1
  const rows = [...itemsOf(first.data)]
  for (let page = 2; page <= Math.min(pages, MOST_PAGES); page++) rows.push(...itemsOf((await read(page)).data))
  return { rows, isWhole: pages <= MOST_PAGES }
}

export function RecordTimeline({ sources, here, record }: RecordTimelineProps) {
  const person = usePerson()
  const { texts, language, may, mayIn, isStaff } = person
  const own = useOwnTexts(TEXTS)
  const readable = sources.filter(
    ({ opens, scope, permission }) =>
      isSeen(person, here, kindByName(opens ?? '') ?? {}) &&
      (scope === undefined || mayIn(here, scope, 'read')) &&
      (permission === undefined || may(permission)),
  )
  const answers = useQueries({
    queries: readable.map(({ list, at }) => ({
      queryKey: [here.key, list.id, 'timeline', at(record)],
      queryFn: () => allOf((page) => here.client.answer(list, { ...at(record), page, per_page: PER_PAGE })),
    })),
  })
  const failed = answers.find(({ error }) => error !== null)
  if (answers.some(({ isPending }) => isPending)) return <Skeleton height={160} aria-hidden />
  const rows = readable.flatMap((kind, place) =>
    (answers[place]?.data?.rows ?? []).map((row) => ({ kind, row, time: textOf(row[kind.time]) })),
  )
  const latestFirst = rows.toSorted((one, other) =>
    one.time !== other.time
      ? one.time < other.time
        ? 1
        : -1
      : // Ids of one kind alone follow each other.
        one.kind === other.kind
        ? Number(other.row['id']) - Number(one.row['id'])
        : readable.indexOf(one.kind) - readable.indexOf(other.kind),
  )
  const isMore = answers.some(({ data }) => data?.isWhole === false)
  return (
    <Stack gap="sm">
      {failed?.error && <Problem error={failed.error} retry={() => void failed.refetch()} />}
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {latestFirst.map(({ kind, row, time }) => (
          <Stack key={`${kind.name} ${textOf(row['id'])}`} component="li" gap={2}>
            <Group gap="xs">
              <Text fw={600} size="sm">
                {kind.opens ? (
                  <Anchor
                    component={Link}
                    to={`${here.path}/${kind.opens}/${textOf(row['id'])}`}
                    size="sm"
                    underline="always"
                  >
                    {own.kinds[kind.name]}
                  </Anchor>
                ) : (
                  own.kinds[kind.name]
                )}
              </Text>
              <Text component="time" dateTime={time} size="sm" c="dimmed">
                {timeIn(language, time)}
              </Text>
            </Group>
            <Group gap="xs">
              {kind.columns
                .filter(({ field, isStaffs }) => (isStaff || !isStaffs) && textOf(row[field]) !== '')
                .map((column, nth) => (
                  <Fragment key={column.field}>
                    {column.field === 'to_status' && nth > 0 && '→'}
                    <Value column={column} record={row} />
                  </Fragment>
                ))}
            </Group>
          </Stack>
        ))}
      </Stack>
      {latestFirst.length === 0 && <Text c="dimmed">{texts.list.empty}</Text>}
      {isMore && (
        <Text size="sm" c="dimmed">
          {own.more}
        </Text>
      )}
    </Stack>
  )
}

const TEXTS = ownTexts({
  en: {
    more: 'There are more than a timeline can hold: the lists of their kinds have all.',
    kinds: {
      state: 'State',
      order: 'Order',
      invoice: 'Invoice',
      payment: 'Payment',
      creditNote: 'Credit note',
      refund: 'Refund',
      dispute: 'Dispute',
      mail: 'Mail',
      ticket: 'Ticket',
      contract: 'Contract',
    },
  },
  'pt-BR': {
    more: 'Há mais do que cabe na linha do tempo: as listas de cada tipo têm todos.',
    kinds: {
      state: 'Situação',
      order: 'Pedido',
      invoice: 'Fatura',
      payment: 'Pagamento',
      creditNote: 'Nota de crédito',
      refund: 'Reembolso',
      dispute: 'Contestação',
      mail: 'E-mail',
      ticket: 'Chamado',
      contract: 'Contrato',
    },
  },
})
