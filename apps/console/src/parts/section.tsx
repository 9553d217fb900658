// A list below a record, such as its history or its shares.
import { Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { skipToken, useInfiniteQuery } from '@tanstack/react-query'
import { NotFoundError } from '@titular/sdk'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import { isItem, type Item, itemsOf, textOf } from '../resources/resource.ts'
import type { Section as Declared } from '../resources/section.ts'
import { Acts } from './acts.tsx'
import { Detail } from './detail.tsx'
import { Paper } from './paper.tsx'
import { Problem } from './problem.tsx'
import { Rows } from './rows.tsx'
import { TimeBar } from './time-bar.tsx'

const RecordTimeline = lazy(async () => ({ default: (await import('./record-timeline.tsx')).RecordTimeline }))

type SectionProps = {
  section: Declared
  here: Here
  scope: string
  record: Item
  at: Item
  /** Of the record. */
  etag?: string | null
  /** Whether it is at work now: what was read meanwhile is read again once it has ended. */
  isRunning?: boolean
}

const PER_PAGE = 20
/** A picture needs all rows. */
const PER_PICTURE = 100

export function Section({ section, here, scope, record, at, etag = null, isRunning = false }: SectionProps) {
  const { texts, may, mayIn } = usePerson()
  const navigate = useNavigate()
  const { name, list, columns, actions = [], papers = [], creates, opens } = section
  const where = section.at?.(record) ?? at
  const [isOpen, setOpen] = useState(section.isFolded?.(record) !== true)
  const isPaged = list?.answer === 'page' || list?.answer === 'cursor'
  const isShown =
    (section.permission === undefined || may(section.permission)) &&
    (section.scope === undefined || mayIn(here, section.scope, 'read')) &&
    (section.isShown?.(record) ?? true)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [here.key, list?.id, where, isRunning],
    initialPageParam: 1,
    queryFn:
      list && isShown && isOpen
        ? ({ pageParam }) =>
            here.client.answer(list, {
              ...where,
              ...(isPaged && { page: pageParam, per_page: section.timeBar ? PER_PICTURE : PER_PAGE }),
            })
        : skipToken,
    getNextPageParam: (last, all) => ((last.meta?.pages ?? 1) > all.length ? all.length + 1 : undefined),
  })
  if (!isShown) return null
  const own = section.rowsOf?.(record) ?? (section.rows === undefined ? null : itemsOf(record[section.rows]))
  const rows = own ?? data?.pages.flatMap((page) => rowsOf(page.data)) ?? []
  if (!isOpen)
    return (
      <Group className="no-print">
        <Button variant="default" aria-expanded={false} onClick={() => setOpen(true)}>
          {texts.sections[name]} ▾
        </Button>
      </Group>
    )
  if (section.timeline)
    return (
      <Card withBorder component="section">
        <Title order={2} size="h4" mb="sm">
          {texts.sections[name]}
        </Title>
        <Suspense fallback={<Skeleton height={160} aria-hidden />}>
          <RecordTimeline sources={section.timeline} here={here} record={record} />
        </Suspense>
      </Card>
    )
  const isMissing = error instanceof NotFoundError
  const isEmpty = isMissing || (rows.length === 0 && (own !== null || data !== undefined))
  if (isEmpty && !creates && !section.isFolded) return null
  const ends = actions.length > 0 || papers.length > 0 || section.detail !== undefined
  return (
    <Card withBorder component="section">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {texts.sections[name]}
          </Title>
          {creates && (
            <Group>
              <Acts actions={[creates]} client={here.client} place={here} scope={scope} record={record} at={where} />
            </Group>
          )}
        </Group>
        {list && own === null && data === undefined && error === null && <Skeleton height={60} aria-hidden />}
        {error && !isMissing && <Problem error={error} />}
        {isEmpty && <Text c="dimmed">{texts.list.empty}</Text>}
        {section.timeBar && rows.length > 0 && !hasNextPage && (
          <TimeBar bar={section.timeBar(rows)} title={texts.sections[name]} />
        )}
        {rows.length > 0 && (
          <Rows
            columns={columns}
            items={rows}
            {...(opens && {
              addressOf: (row: Item) => `/app${pageOf(here, opens.resource, opens.idOf?.(row) ?? row['id'])}`,
              onOpen: (row: Item) =>
                void navigate({ to: pageOf(here, opens.resource, opens.idOf?.(row) ?? row['id']) }),
            })}
            {...(ends && {
              endOf: (row: Item) => (
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  {section.detail && (
                    <Detail {...section.detail} at={section.detail.at(record, row)} client={here.client} />
                  )}
                  {papers
                    .filter(({ isOffered }) => isOffered?.(row) ?? true)
                    .map((paper) => (
                      <Paper
                        key={paper.name}
                        size="xs"
                        label={texts.actions[paper.name]}
                        client={here.client}
                        operation={paper.operation}
                        at={paper.at(record, row)}
                      />
                    ))}
                  <Acts
                    size="xs"
                    actions={actions}
                    client={here.client}
                    place={here}
                    scope={scope}
                    record={row}
                    at={where}
                    etag={section.isOfRecord ? etag : null}
                  />
                </Group>
              ),
            })}
          />
        )}
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.list.more}
          </Button>
        )}
      </Stack>
    </Card>
  )
}

const pageOf = (here: Here, resource: string, id: unknown): string => `${here.path}/${resource}/${textOf(id)}`

/** A list, one record, or a record whose only list is meant, where it has one. */
const rowsOf = (data: unknown): readonly Item[] =>
  Array.isArray(data)
    ? itemsOf(data)
    : isItem(data)
      ? data['id'] === undefined && Object.values(data).some(Array.isArray)
        ? itemsOf(Object.values(data).find(Array.isArray))
        : [data]
      : []
