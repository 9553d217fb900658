// How an organization is billed: the hold of dunning, which staff alone see, and the taxes that it keeps back.
import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import * as api from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Facts } from '../../parts/record.tsx'
import type { Action } from '../../resources/resource.ts'
import type { ScreenProps } from '../../screens.ts'
import { TEXTS } from './texts.ts'

const WRITES = 'finances:write'

const HOLD_ACTS: readonly Action[] = [
  {
    name: 'updateDunningHold',
    operation: api.updateDunningHold,
    permission: WRITES,
    form: [
      { field: 'until', as: 'date', isRequired: true, first: ({ until }) => until },
      { field: 'reason', as: 'long', isRequired: true, first: ({ reason }) => reason },
      { field: 'restores', as: 'yesNo', first: ({ restores }) => restores },
    ],
  },
  {
    name: 'deleteDunningHold',
    operation: api.deleteDunningHold,
    permission: WRITES,
    isOffered: ({ until }) => typeof until === 'string',
    isDangerous: true,
  },
]

const WITHHOLDING: Action = {
  name: 'updateTaxWithholding',
  operation: api.updateTaxWithholding,
  permission: WRITES,
  form: [
    {
      field: 'federal',
      several: true,
      chooses: { values: ['irrf', 'pis', 'cofins', 'csll', 'inss'] },
      first: ({ federal }) => federal,
    },
    { field: 'iss_municipalities', as: 'lines', first: ({ iss_municipalities }) => iss_municipalities },
  ],
}

export function Screen({ here }: ScreenProps) {
  const { texts, may } = usePerson()
  return (
    <Stack>
      <Title order={1} size="h2">
        {texts.screens['billing-terms']}
      </Title>
      {may('finances:read') && <Hold here={here} />}
      <Withholding here={here} />
    </Stack>
  )
}

function Hold({ here }: Pick<ScreenProps, 'here'>) {
  const own = useOwnTexts(TEXTS)
  const {
    data: read,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: [here.key, 'dunning-hold'],
    queryFn: () =>
      here.client.answer(api.getDunningHold).catch((failure: unknown) => {
        if (failure instanceof api.NotFoundError) return null
        throw failure
      }),
  })
  const data = read && read.data
  return (
    <Card withBorder component="section">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {own.hold}
          </Title>
          {!isPending && !error && (
            <Group>
              <Acts
                actions={HOLD_ACTS}
                client={here.client}
                place={here}
                scope="finances"
                record={data ?? {}}
                at={{}}
                etag={read?.etag}
              />
            </Group>
          )}
        </Group>
        {error && <Problem error={error} retry={() => void refetch()} />}
        {isPending && !error && <Skeleton height={80} aria-hidden />}
        {data === null && <Text c="dimmed">{own.noHold}</Text>}
        {data && (
          <Facts
            columns={[{ field: 'until', as: 'date' }, { field: 'reason' }, { field: 'restores', as: 'yesNo' }]}
            record={data}
          />
        )}
      </Stack>
    </Card>
  )
}

function Withholding({ here }: Pick<ScreenProps, 'here'>) {
  const own = useOwnTexts(TEXTS)
  const {
    data: read,
    error,
    isPending,
    refetch,
  } = useQuery({
    queryKey: [here.key, 'tax-withholding'],
    queryFn: () => here.client.answer(api.getTaxWithholding),
  })
  const data = read?.data
  const isNone = data?.federal.length === 0 && data.iss_municipalities.length === 0
  return (
    <Card withBorder component="section">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {own.withholding}
          </Title>
          {data && (
            <Group>
              <Acts
                actions={[WITHHOLDING]}
                client={here.client}
                place={here}
                scope="finances"
                record={data}
                at={{}}
                etag={read.etag}
              />
            </Group>
          )}
        </Group>
        {error && <Problem error={error} retry={() => void refetch()} />}
        {isPending && !error && <Skeleton height={80} aria-hidden />}
        {isNone && <Text c="dimmed">{own.nothingWithheld}</Text>}
        {data && !isNone && (
          <Facts columns={[{ field: 'federal', as: 'value' }, { field: 'iss_municipalities' }]} record={data} />
        )}
      </Stack>
    </Card>
  )
}
