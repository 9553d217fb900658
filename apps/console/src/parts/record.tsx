// A record: what it is, its state, what may be done, its lines, its papers, its conversation, and what hangs on it.
import { Anchor, Button, Card, Group, Progress, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { AnyOperation } from '@titular/sdk'
import { Fragment, lazy, Suspense } from 'react'
import { usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import { type Column, type Item, isItem, itemsOf, type Resource, textOf } from '../resources/resource.ts'
import { nameOf } from '../texts/texts.ts'
import { Acts } from './acts.tsx'
import { Conversation } from './conversation.tsx'
import { Lines } from './lines.tsx'
import { AGAIN_MS } from './list.tsx'
import { Paper } from './paper.tsx'
import { Problem } from './problem.tsx'
import { Section } from './section.tsx'
import { TimeBar } from './time-bar.tsx'
import { Value } from './value.tsx'
import { WhenSeen } from './when-seen.tsx'

const WaysToPay = lazy(async () => ({ default: (await import('./ways-to-pay.tsx')).WaysToPay }))

/** What is read with the record: four requests in all. */
const SEEN_AT_ONCE = 3

type RecordProps = { resource: Resource; get: AnyOperation; here: Here; id: string }

export function RecordView({ resource, get, here, id }: RecordProps) {
  const { texts, language, may, mayIn, isStaff } = usePerson()
  const navigate = useNavigate()
  const at = {
    ...(here.organization !== null && resource.organization?.at?.(here.organization)),
    [resource.keyName ?? 'id']: resource.keyOf ? id : Number(id),
  }
  const {
    data: read,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: [here.key, resource.name, 'record', id],
    queryFn: async () => {
      const answer = await here.client.answer(get, at)
      const record: unknown = answer.data
      return { record: isItem(record) ? record : {}, etag: answer.etag }
    },
    refetchInterval: ({ state }) => (state.data && resource.isRunning?.(state.data.record) ? AGAIN_MS : false),
  })
  // Beside the record, since an answer with them has no tag that a change could be sent with.
  const { data: names } = useQuery({
    queryKey: [here.key, resource.name, 'names', id],
    enabled: isStaff && resource.expands !== undefined,
    queryFn: async (): Promise<Item> => {
      const { data: found }: { data: unknown } = await here.client.answer(get, {
        ...at,
        fields: 'id',
        expand: resource.expands,
      })
      return isItem(found) ? found : {}
    },
  })
  const back = (
    <Anchor component={Link} to={`${here.path}/${resource.name}`} className="no-print">
      ← {texts.resources[resource.name]}
    </Anchor>
  )
  if (error)
    return (
      <Stack align="flex-start">
        {back}
        <Title order={1} size="h2">
          {texts.resources[resource.name]}
        </Title>
        <Problem error={error} retry={() => void refetch()} />
      </Stack>
    )
  if (isPending) return <Skeleton height={320} aria-hidden />
  const { etag } = read
  const data: Item = { ...names, ...read.record }
  const lines = resource.lines === undefined ? [] : itemsOf(data[resource.lines])
  const isRunning = resource.isRunning?.(data) === true
  // A number alone does not say of what it is.
  const titleOf = (title: string): string =>
    /^#?\d+$/.test(title) ? `${nameOf(texts.records, kindOf(resource))} ${title}` : title
  const papers = (resource.papers ?? []).filter(({ isOffered }) => isOffered?.(data) ?? true)
  const links = (resource.links ?? []).filter(
    ({ permission, scope, isOffered }) =>
      (permission === undefined || may(permission)) &&
      (scope === undefined || mayIn(here, scope, 'write')) &&
      (isOffered?.(data) ?? true),
  )
  const timeBar = resource.timeBar?.(data)
  const isPayable = resource.isPayable?.(data) === true
  return (
    <Stack>
      <div>{back}</div>
      <Group justify="space-between">
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {titleOf(resource.titleOf(data, { texts, language }))}
        </Title>
        <Group className="no-print">
          {links.map(({ name, to, isMain }) => (
            <Button key={name} variant={isMain ? 'filled' : 'default'} component={Link} to={`${here.path}/${to(data)}`}>
              {texts.actions[name]}
            </Button>
          ))}
          <Acts
            actions={resource.actions ?? []}
            client={here.client}
            place={here}
            scope={resource.scope}
            record={data}
            at={at}
            etag={etag}
            onDone={(_made, { operation }) =>
              operation.method === 'DELETE' && navigate({ to: `${here.path}/${resource.name}` })
            }
          />
          {resource.downloads && resource.downloads(data) !== '' && (
            <Button component="a" href={resource.downloads(data)} download>
              {texts.actions.download}
            </Button>
          )}
          {papers.map(({ name, operation, parameters }) => (
            <Paper
              key={name}
              label={texts.actions[name]}
              client={here.client}
              operation={operation}
              at={{ ...at, ...parameters }}
            />
          ))}
        </Group>
      </Group>
      {isRunning && (
        <Stack gap={4} role="status">
          <Progress value={100} animated striped aria-label={texts.act.working} />
          <Text size="sm">{texts.record.running}</Text>
        </Stack>
      )}
      <Facts columns={[...resource.columns, ...(resource.details ?? [])]} record={data} path={here.path} />
      {timeBar && (
        <Card withBorder component="section">
          <Title order={2} size="h4" mb="sm">
            {texts.record.overTime}
          </Title>
          <TimeBar bar={timeBar} title={texts.record.overTime} />
        </Card>
      )}
      {isPayable && (
        <Suspense fallback={<Skeleton height={160} aria-hidden />}>
          <WaysToPay here={here} id={Number(id)} />
        </Suspense>
      )}
      {lines.length > 0 && (
        <Card withBorder>
          <Title order={2} size="h4">
            {texts.record.lines}
          </Title>
          <Lines lines={lines} currency={textOf(data['currency'])} />
        </Card>
      )}
      {resource.conversation && <Conversation of={resource.conversation} here={here} id={Number(id)} />}
      {resource.sections?.map((section, place) => {
        const list = (
          <Section
            section={section}
            here={here}
            scope={resource.scope}
            record={data}
            at={at}
            etag={etag}
            isRunning={isRunning}
          />
        )
        return (
          <Fragment key={section.name}>
            {place < SEEN_AT_ONCE - (isPayable ? 1 : 0) ? list : <WhenSeen>{list}</WhenSeen>}
          </Fragment>
        )
      })}
    </Stack>
  )
}

/** As the service names the kind: `tax_invoice`. */
const kindOf = ({ name }: Resource): string => name.replace(/s$/, '').replaceAll('-', '_')

type FactsProps = { columns: readonly Column[]; record: Item; path?: string }

export function Facts({ columns, record, path }: FactsProps) {
  const { texts, language, isStaff } = usePerson()
  const known = columns.filter(
    ({ field, of, isStaffs }) => (isStaff || !isStaffs) && isSaid(of ? of(record, { texts, language }) : record[field]),
  )
  return (
    <Card withBorder>
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} m={0}>
        {known.map((column) => (
          <div key={column.field}>
            <Text component="dt" size="sm" c="dimmed">
              {texts.fields[column.field]}
            </Text>
            <Text component="dd" m={0}>
              {column.opens && path !== undefined ? (
                <Anchor component={Link} to={`${path}/${column.opens}/${textOf(record[column.field])}`}>
                  <Value column={column} record={record} />
                </Anchor>
              ) : (
                <Value column={column} record={record} />
              )}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Card>
  )
}

const isSaid = (value: unknown): boolean =>
  value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
