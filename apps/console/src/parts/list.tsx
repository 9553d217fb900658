// A list: its filters, its order and its page are the address, so that it can be sent to a colleague.
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { usePerson } from '../context.tsx'
import {
  type Action,
  type Column,
  type Item,
  itemsOf,
  keyOf,
  type Paper,
  type Records,
  type Resource,
} from '../resources/resource.ts'
import { chosenOf } from './chosen-columns.ts'
import { addressOf, type Here } from '../place.ts'
import { filled } from '../texts/texts.ts'
import { Acts, useOffered } from './acts.tsx'
import { ExportList } from './export-list.tsx'
import { Filters } from './filters.tsx'
import { Pages } from './pages.tsx'
import { Problem } from './problem.tsx'
import { Rows } from './rows.tsx'
import { Views } from './views.tsx'

/** What an address says of a list: its page, its order, and by their names its filters. */
export type Search = Readonly<Record<string, string | number | undefined>>

type ListProps = {
  resource: Resource
  records: Records
  here: Here
  search: Search
  onSearch: (search: Search) => void
}

const Columns = lazy(async () => ({ default: (await import('./columns.tsx')).Columns }))
const Empty = lazy(async () => ({ default: (await import('./empty.tsx')).Empty }))
const Bulk = lazy(async () => ({ default: (await import('./bulk.tsx')).Bulk }))
const BulkPapers = lazy(async () => ({ default: (await import('./bulk-papers.tsx')).BulkPapers }))

const PER_PAGE = 20
const NOTHING: ReadonlySet<string> = new Set()
/** How often what is being made is asked for again. */
export const AGAIN_MS = 1500

export function List({ resource, records, here, search, onSearch }: ListProps) {
  const { texts, user, may, isStaff } = usePerson()
  const navigate = useNavigate()
  const { page: _page, columns: shown = '', ...filters } = search
  const at = (here.organization !== null && records.at?.(here.organization)) || {}
  const asked = {
    ...at,
    ...askedOf(resource, filters),
    page: Number(search['page'] ?? 1),
    per_page: PER_PAGE,
    ...(isStaff && resource.expands !== undefined && { expand: resource.expands }),
  }
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [here.key, resource.name, asked],
    queryFn: () => here.client.answer(records.list, asked),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      resource.isRunning && itemsOf(state.data?.data).some(resource.isRunning) ? AGAIN_MS : false,
  })
  const items = itemsOf(data?.data)
  const { total = 0, pages = 0 } = data?.meta ?? {}
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort')
  const isOffered = useOffered(here, resource.scope)
  // What nobody here may do is not offered for any of the rows.
  const bulk = [...(resource.actions ?? []), ...(resource.rowActions ?? [])].filter(
    (action, index, all) =>
      action.isBulk &&
      all.findIndex(({ name }) => name === action.name) === index &&
      items.some((record) => isOffered(action, record)),
  )
  const papers = (resource.papers ?? []).filter(({ isBulk }) => isBulk)
  const [keys, setChosen] = useState(NOTHING)
  const [acting, setActing] = useState<Action | null>(null)
  const [paper, setPaper] = useState<Paper | null>(null)
  const chosen = items.filter((record) => keys.has(keyOf(resource, record)))
  const columns = (
    here.place === 'all' && resource.organization ? [ORGANIZATION, ...resource.columns] : resource.columns
  ).filter(({ isStaffs }) => isStaff || !isStaffs)
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {texts.resources[resource.name]}
        </Title>
        <Group gap="xs">
          {items.length > 0 && columns.length > 2 && (
            <Suspense>
              <Columns
                columns={columns}
                chosen={String(shown)}
                onChoose={(names) => onSearch({ ...search, columns: names || undefined })}
              />
            </Suspense>
          )}
          <ExportList here={here} records={records} filters={filters} />
          {resource.makes?.isOffered({ id: user.id, may }) && here.organization === null && (
            <Button component={Link} to={`${here.path}/${resource.makes.screen}`}>
              {texts.actions[resource.makes.name]}
            </Button>
          )}
          {records.creates && (
            <Group>
              <Acts
                actions={[{ ...records.creates, isMain: true }]}
                client={here.client}
                place={here}
                scope={resource.scope}
                record={{}}
                at={at}
                onDone={(made) => {
                  const address = addressOf(here, resource, made)
                  if (address !== null) void navigate({ to: address })
                }}
              />
            </Group>
          )}
        </Group>
      </Group>
      {here.organization === null && <Views views={resource.views ?? []} search={search} onSearch={onSearch} />}
      <Filters resource={resource} search={search} onSearch={onSearch} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {isPending && !error && <Skeleton height={240} aria-hidden />}
      {data && items.length === 0 && !isFiltered && (
        <Suspense>
          <Empty resource={resource} here={here} isMade={records.creates !== undefined} />
        </Suspense>
      )}
      {data && items.length === 0 && isFiltered && (
        <Stack align="flex-start">
          <Text c="dimmed">{texts.list.nothingFound}</Text>
          <Button variant="default" onClick={() => onSearch({ columns: shown || undefined })}>
            {texts.list.clear}
          </Button>
        </Stack>
      )}
      {chosen.length > 0 && (
        <Group role="toolbar" aria-label={texts.list.chosen} className="no-print">
          <Text size="sm">{filled(texts.list.chosenCount, { count: String(chosen.length) })}</Text>
          {bulk.map((action) => (
            <Button key={action.name} size="xs" variant="default" onClick={() => setActing(action)}>
              {texts.actions[action.name]}
            </Button>
          ))}
          {papers.map((one) => (
            <Button key={one.name} size="xs" variant="default" onClick={() => setPaper(one)}>
              {texts.actions[one.name]}
            </Button>
          ))}
          <Button size="xs" variant="subtle" onClick={() => setChosen(NOTHING)}>
            {texts.list.chooseNone}
          </Button>
        </Group>
      )}
      {acting && (
        <Suspense>
          <Bulk
            action={acting}
            resource={resource}
            here={here}
            records={chosen}
            at={at}
            isOffered={(record) => isOffered(acting, record)}
            onClose={() => {
              setActing(null)
              setChosen(NOTHING)
            }}
          />
        </Suspense>
      )}
      {paper && (
        <Suspense>
          <BulkPapers
            paper={paper}
            resource={resource}
            here={here}
            records={chosen}
            onClose={() => {
              setPaper(null)
              setChosen(NOTHING)
            }}
          />
        </Suspense>
      )}
      {items.length > 0 && (
        <Rows
          columns={chosenOf(columns, String(shown))}
          items={items}
          {...(bulk.length + papers.length > 0 && {
            choice: { keyOf: (record: Item) => keyOf(resource, record), chosen: keys, onChoose: setChosen },
          })}
          addressOf={(record) => {
            const address = addressOf(here, resource, record)
            return address === null ? null : `/app${address}`
          }}
          onOpen={(record) => {
            const address = addressOf(here, resource, record)
            if (address !== null) void navigate({ to: address })
          }}
          {...(resource.rowActions && {
            endOf: (record: Item) => (
              <Group gap="xs" justify="flex-end" wrap="nowrap" onClick={(event) => event.stopPropagation()}>
                <Acts
                  size="xs"
                  isMenu
                  actions={resource.rowActions ?? []}
                  client={here.client}
                  place={here}
                  scope={resource.scope}
                  record={record}
                  at={{ ...at, [resource.keyName ?? 'id']: keyOf(resource, record) }}
                />
              </Group>
            ),
          })}
        />
      )}
      {items.length > 0 && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {filled(texts.list.count, { count: String(total ?? '') })}
          </Text>
          {(pages ?? 0) > 1 && (
            <Pages pages={pages ?? 1} page={asked.page} onPage={(page) => onSearch({ ...search, page })} />
          )}
        </Group>
      )}
    </Stack>
  )
}

const ORGANIZATION: Column = { field: 'organization_name' }

/** Filters with values are lists, one after the other by comma in the address. */
function askedOf({ statuses, filters = [] }: Resource, search: Search): Record<string, unknown> {
  const listed = new Set<string>([
    ...(statuses ? ['status'] : []),
    ...filters.flatMap(({ field, isOne }) => (isOne ? [] : [field])),
  ])
  return Object.fromEntries(
    Object.entries(search).map(([name, value]) => [name, listed.has(name) ? String(value).split(',') : value]),
  )
}
