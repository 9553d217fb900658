// What the erasure of an organization removes, what the law keeps until when, and what stands in its way.
import { Alert, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import {
  adminCancelOrganizationErasure,
  adminCreateOrganizationErasure,
  adminGetOrganizationErasure,
} from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import { Rows } from '../../parts/rows.tsx'
import type { Action, Column } from '../../resources/resource.ts'
import type { ScreenProps } from '../../screens.ts'
import { nameOf } from '../../texts/texts.ts'
import { erasureTexts } from './texts.ts'

const ACTS: readonly Action[] = [
  {
    name: 'createOrganizationErasure',
    operation: adminCreateOrganizationErasure,
    permission: 'users:write',
    isOffered: ({ is_deleted, status }) => is_deleted === true && (status === undefined || status === 'cancelled'),
    isDangerous: true,
  },
  {
    name: 'cancelOrganizationErasure',
    operation: adminCancelOrganizationErasure,
    permission: 'users:write',
    isOffered: ({ status }) => status === 'scheduled',
  },
]

const FACTS: readonly Column[] = [
  { field: 'status', as: 'status' },
  { field: 'requested_at', as: 'time' },
  { field: 'due_at', as: 'time' },
  { field: 'kept_until', as: 'time' },
  { field: 'problem' },
  { field: 'ended_at', as: 'time' },
]

export function Screen({ here, rest }: ScreenProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(erasureTexts)
  const id = Number(rest)
  const { data, error, refetch } = useQuery({
    queryKey: [here.key, 'organization-erasure', id],
    queryFn: () => here.client.call(adminGetOrganizationErasure, { id }),
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={320} aria-hidden />
  const named = <Row extends { what: string }>(rows: readonly Row[]) =>
    rows.map((row) => ({ ...row, what: nameOf(own.records, row.what) }))
  const record = { is_deleted: data.is_deleted, ...data.erasure }
  return (
    <Stack>
      <Group justify="space-between">
        <Title order={1} size="h2">
          {texts.screens['organization-erasure']} {rest}
        </Title>
        <Group>
          <Acts actions={ACTS} client={here.client} place={here} scope="users" record={record} at={{ id }} />
        </Group>
      </Group>
      {!data.is_deleted && <Alert>{own.notDeleted}</Alert>}
      {data.erasure && <Facts columns={FACTS} record={data.erasure} />}
      {data.obstacles.length > 0 && (
        <Alert color="orange" title={own.obstacles}>
          {named(data.obstacles).map(({ what, count }) => (
            <Text key={what} size="sm">
              {what}: {count}
            </Text>
          ))}
        </Alert>
      )}
      <Card withBorder component="section">
        <Title order={2} size="h4">
          {own.goes}
        </Title>
        <Rows
          columns={[{ field: 'what' }, { field: 'records', as: 'number', of: ({ rows }) => rows }]}
          items={named(data.goes)}
        />
      </Card>
      <Card withBorder component="section">
        <Title order={2} size="h4">
          {own.stays}
        </Title>
        <Rows
          columns={[
            { field: 'what' },
            { field: 'records', as: 'number', of: ({ rows }) => rows },
            { field: 'legal_basis', as: 'value' },
            { field: 'until', as: 'time' },
          ]}
          items={named(data.stays)}
        />
      </Card>
    </Stack>
  )
}
