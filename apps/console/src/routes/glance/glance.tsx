// An organization at a glance, as staff see it: facts, what is open, what waits for the customer, what was done.
import { Badge, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { getOrganization, listAuditLog } from '@titular/sdk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import type { Search } from '../../parts/list.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { Status } from '../../parts/status.tsx'
import type { Here } from '../../place.ts'
import { organizationActions } from '../../resources/organizations.ts'
import type { Column } from '../../resources/resource.ts'
import { nameOf } from '../../texts/texts.ts'
import { actionsIn } from '../counts.tsx'
import { Clock } from './clock.tsx'
import { Open } from './open.tsx'
import { glanceTexts } from './texts.ts'

const FACTS: readonly Column[] = [
  { field: 'legal_name' },
  { field: 'cnpj', as: 'code' },
  { field: 'type', as: 'value' },
  { field: 'city', of: ({ city, state }) => [city, state].filter(Boolean).join(', ') || null },
  { field: 'country' },
  { field: 'email' },
  { field: 'phone' },
  { field: 'website', as: 'link' },
  { field: 'external_id', as: 'code' },
  { field: 'created_at', as: 'time' },
  { field: 'notes' },
]

/** Where the records of an action are. */
const PLACES: Readonly<Record<string, string>> = {
  quote: 'quotes',
  invoice: 'invoices',
  ticket: 'tickets',
  service: 'services',
  site: 'sites',
  contract: 'contracts',
}

type GlanceProps = { here: Here; search: Search; onSearch: (search: Search) => void }

export function Glance({ here, search, onSearch }: GlanceProps) {
  const { texts, may } = usePerson()
  const own = useOwnTexts(glanceTexts)
  const { client, organization } = here
  const id = organization ?? 0
  // The same key as in the frame, which shows its name.
  const { data, error, refetch } = useQuery({
    queryKey: [organization, 'organization'],
    queryFn: () => client.call(getOrganization, { id }),
  })
  const actions = useQuery({ ...actionsIn(here), enabled: data !== undefined })
  const waiting = (actions.data?.actions ?? []).filter(({ count }) => count > 0)
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={320} aria-hidden />
  return (
    <Stack>
      <Group justify="space-between">
        <Group>
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {data.name}
          </Title>
          {data.verification_status && <Status value={data.verification_status} />}
          {data.has_test_clock && (
            <Badge variant="light" color="grape">
              {own.clock}
            </Badge>
          )}
          {data.dunning_hold && (
            <Badge variant="light" color="orange">
              {own.held}
            </Badge>
          )}
        </Group>
        <Group className="no-print">
          <Acts
            actions={organizationActions}
            client={client}
            place={here}
            scope="organization"
            record={data}
            at={{ id }}
          />
          {may('users:read') && (
            <Button variant="default" component={Link} to={`/all/organization-erasure/${id}`}>
              {texts.screens['organization-erasure']}
            </Button>
          )}
        </Group>
      </Group>
      <Facts columns={FACTS} record={data} />
      {waiting.length > 0 && (
        <Card withBorder component="section">
          <Title order={2} size="h4" mb="sm">
            {own.waits}
          </Title>
          <Group gap="xs">
            {waiting.map(({ kind, resource, count, items, has_more }) => (
              <Button
                key={kind}
                variant="default"
                component={Link}
                to={
                  items.length === 1
                    ? `${here.path}/${PLACES[resource] ?? ''}/${items[0]?.id}`
                    : `${here.path}/${PLACES[resource] ?? ''}`
                }
                rightSection={<Badge>{has_more ? `${count}+` : count}</Badge>}
              >
                {nameOf(texts.waiting, kind)}
              </Button>
            ))}
          </Group>
        </Card>
      )}
      {data.has_test_clock && may('jobs:read') && <Clock here={here} id={id} />}
      <Open here={here} search={search} onSearch={onSearch} />
      <Log here={here} />
    </Stack>
  )
}

const PER_PAGE = 50

function Log({ here }: { here: Here }) {
  const { texts } = usePerson()
  const own = useOwnTexts(glanceTexts)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [here.key, 'timeline'],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => here.client.answer(listAuditLog, { page: pageParam, per_page: PER_PAGE }),
    getNextPageParam: (last, all) => ((last.meta?.pages ?? 1) > all.length ? all.length + 1 : undefined),
  })
  const acts = data?.pages.flatMap((page) => page.data).filter(isOfInterest) ?? []
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {own.timeline}
        </Title>
        {error && <Problem error={error} />}
        {data && acts.length === 0 && <Text c="dimmed">{own.quiet}</Text>}
        <Timeline here={here} acts={acts} />
        {hasNextPage && (
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.list.more}
          </Button>
        )}
      </Stack>
    </Card>
  )
}

/** Each request of staff is an entry of its own, this page's too, and each record files papers of its own. */
const isOfInterest = ({ action, resource }: { action: string; resource: string }): boolean =>
  action !== 'staff_entry' && resource !== 'filed_document' && resource !== 'tax_invoice_document'
