// What happened to a record, of several kinds in one list, the latest first: what its state became, payments, mails, tickets.
import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useOwnTexts, usePerson } from '../context.tsx'
import { type Here, isSeen } from '../place.ts'
import { kindByName } from '../resources/directory.ts'
import { type Happening, type Item, itemsOf, textOf } from '../resources/resource.ts'
import { ownTexts, timeIn } from '../texts/texts.ts'
import { Problem } from './problem.tsx'
import { Value } from './value.tsx'

type HappeningsProps = { kinds: readonly Happening[]; here: Here; record: Item }

/** Of each kind; the lists beside the timeline have what is older. */
const PER_KIND = 50

export function Happenings({ kinds, here, record }: HappeningsProps) {
  const person = usePerson()
  const { texts, language, may, mayIn, isStaff } = person
  const own = useOwnTexts(TEXTS)
  const readable = kinds.filter(
    ({ opens, scope, permission }) =>
      isSeen(person, here, kindByName(opens ?? '') ?? {}) &&
      (scope === undefined || mayIn(here, scope, 'read')) &&
      (permission === undefined || may(permission)),
  )
  const answers = useQueries({
    queries: readable.map(({ list, at }) => ({
      queryKey: [here.key, list.id, 'timeline', at(record)],
      queryFn: () => here.client.answer(list, { ...at(record), per_page: PER_KIND }),
    })),
  })
  const failed = answers.find(({ error }) => error !== null)
  if (failed?.error) return <Problem error={failed.error} retry={() => void failed.refetch()} />
  if (answers.some(({ isPending }) => isPending)) return <Skeleton height={160} aria-hidden />
  const rows = readable.flatMap((kind, place) =>
    itemsOf(answers[place]?.data?.data).map((row) => ({ kind, row, time: textOf(row[kind.time]) })),
  )
  const latestFirst = rows.toSorted((one, other) =>
    one.time === other.time ? Number(other.row['id']) - Number(one.row['id']) : one.time < other.time ? 1 : -1,
  )
  const isMore = answers.some(({ data }) => (data?.meta?.pages ?? 1) > 1)
  return (
    <Stack gap="sm">
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
    more: 'There are older ones: the lists of their kinds have them.',
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
    more: 'Há outros mais antigos: eles estão nas listas de cada tipo.',
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
