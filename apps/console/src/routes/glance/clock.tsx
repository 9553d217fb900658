// The test clock of an organization: where its time stands, and a way to go on. It moves by itself until it is there.
import { Alert, Card, Group, Loader, Stack, Text, Title } from '@mantine/core'
import {
  adminAdvanceOrganizationTestClock,
  adminGetOrganizationTestClock,
  type AdminGetOrganizationTestClockResult as TestClock,
} from '@titular/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Acts } from '../../parts/acts.tsx'
import { Problem } from '../../parts/problem.tsx'
import { TimeBar } from '../../parts/time-bar.tsx'
import { type Here, hereIn } from '../../place.ts'
import type { Action } from '../../resources/resource.ts'
import type { TimeBar as Declared } from '../../resources/section.ts'
import { filled, nameOf, timeIn } from '../../texts/texts.ts'
import { glanceTexts } from './texts.ts'

const EVERY_MS = 1500

const ADVANCE: Action = {
  name: 'advanceTestClock',
  operation: adminAdvanceOrganizationTestClock,
  permission: 'jobs:write',
  form: [{ field: 'to', as: 'time', isRequired: true }],
  isOffered: ({ status }) => status !== 'advancing',
}

export function Clock({ here, id }: { here: Here; id: number }) {
  const { language } = usePerson()
  const own = useOwnTexts(glanceTexts)
  const queries = useQueryClient()
  const all = hereIn(null, language)
  const { data, error } = useQuery({
    queryKey: [here.key, 'test-clock'],
    queryFn: () => all.client.call(adminGetOrganizationTestClock, { id }),
    refetchInterval: ({ state }) => (state.data?.status === 'advancing' ? EVERY_MS : false),
  })
  const isReady = data?.status === 'ready'
  const now = data?.now
  useEffect(() => {
    // What has happened meanwhile is on this page.
    if (isReady) void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] !== 'test-clock' })
  }, [isReady, now, queries])
  if (error) return <Problem error={error} />
  if (!data) return null
  return (
    <Card withBorder component="section">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {own.clock}
          </Title>
          <Acts actions={[ADVANCE]} client={all.client} place={here} scope="jobs" record={data} at={{ id }} />
        </Group>
        <Group role="status">
          {data.status === 'advancing' && <Loader size="sm" />}
          <Text>
            {data.status === 'advancing' && data.advancing_to
              ? filled(own.advancing, { now: timeIn(language, data.now), to: timeIn(language, data.advancing_to) })
              : filled(own.stands, { now: timeIn(language, data.now) })}
          </Text>
        </Group>
        <TimeBar bar={barOf(data)} title={own.clock} nameOfMoment={(name) => nameOf(own.moments, name)} />
        {data.error && <Alert color="red">{data.error}</Alert>}
      </Stack>
    </Card>
  )
}

/** Where the organization's time began, stands and goes, beside the time of everybody else. */
function barOf({ started_at, now, advancing_to }: TestClock): Declared {
  const moments = [
    { name: 'started_at', at: started_at },
    { name: 'clock', at: now },
    { name: 'advancing_to', at: advancing_to ?? '' },
    { name: 'now', at: new Date().toISOString() },
  ]
  return { moments: moments.filter(({ at }) => at !== '') }
}
