// Who has an entry of the queue: taken, given to somebody, given back, snoozed.
import { Button, Group, Menu, Stack, Text } from '@mantine/core'
import {
  type adminListQueue,
  adminAssignQueueItem,
  adminListStaff,
  adminListTeamAssignees,
  adminSnoozeQueueItem,
  type ItemOf,
} from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Act } from '../../parts/act.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { Here } from '../../place.ts'
import { type Action, textOf } from '../../resources/resource.ts'
import { filled, timeIn } from '../../texts/texts.ts'
import { scopeOfKind } from './kinds.ts'
import { queueTexts } from './texts.ts'

type Entry = ItemOf<typeof adminListQueue>

const DAY = 86_400_000

/** Mornings, not the hour at which somebody happened to press the button. */
function morningIn(days: number): string {
  const morning = new Date(Date.now() + days * DAY)
  morning.setHours(8, 0, 0, 0)
  return morning.toISOString()
}

export function Holder({ here, entry }: { here: Here; entry: Entry }) {
  const { user, may, language } = usePerson()
  const own = useOwnTexts(queueTexts)
  const queries = useQueryClient()
  const [isAssigning, setAssigning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const { kind, id, assignee_id, assignee_name, snoozed_until } = entry
  const isMine = assignee_id === user.id
  const read = (): void => void queries.invalidateQueries({ queryKey: [here.key, 'queue'] })
  const run = (act: Promise<unknown>): void => {
    setError(null)
    void act.then(read, setError)
  }
  const assign = (to: number | null): void =>
    run(here.client.call(adminAssignQueueItem, { kind, id, body: { assignee_id: to } }))
  const snooze = (until: string | null): void =>
    run(here.client.call(adminSnoozeQueueItem, { kind, id, body: { until } }))
  if (!may(`${scopeOfKind(kind)}:write`)) return <Text size="sm">{assignee_name ?? '–'}</Text>
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        <Menu position="bottom-end">
          <Menu.Target>
            <Button
              size="xs"
              variant={isMine ? 'light' : 'default'}
              aria-label={`${assignee_name ?? own.nobody}: ${filled(own.more, { label: entry.label })}`}
            >
              {assignee_name ?? own.nobody} ▾
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {!isMine && <Menu.Item onClick={() => assign(user.id)}>{own.take}</Menu.Item>}
            {(may('staff:read') || may('tickets:read')) && (
              <Menu.Item aria-haspopup="dialog" onClick={() => setAssigning(true)}>
                {own.assign}
              </Menu.Item>
            )}
            {assignee_id !== null && <Menu.Item onClick={() => assign(null)}>{own.giveBack}</Menu.Item>}
            <Menu.Divider />
            <Menu.Label>{own.snooze}</Menu.Label>
            <Menu.Item onClick={() => snooze(morningIn(1))}>{own.tomorrow}</Menu.Item>
            <Menu.Item onClick={() => snooze(morningIn(3))}>{own.threeDays}</Menu.Item>
            <Menu.Item onClick={() => snooze(morningIn(7))}>{own.week}</Menu.Item>
            {snoozed_until && <Menu.Item onClick={() => snooze(null)}>{own.wake}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      </Group>
      {snoozed_until && (
        <Text size="xs" c="dimmed">
          {filled(own.until, { time: timeIn(language, snoozed_until) })}
        </Text>
      )}
      {error !== null && <Problem error={error} />}
      {isAssigning && (
        // Its own, so that the button that has the keyboard is not hidden while a part of the dialog loads.
        <Suspense>
          <Act
            action={may('staff:read') ? ASSIGN : ASSIGN_TO_SUPPORT}
            client={here.client}
            at={{ kind, id }}
            place={here}
            etag={null}
            onClose={() => setAssigning(false)}
            onDone={() => {
              setAssigning(false)
              read()
            }}
          />
        </Suspense>
      )}
    </Stack>
  )
}

const ASSIGN: Action = {
  name: 'assignQueueItem',
  operation: adminAssignQueueItem,
  form: [
    {
      field: 'assignee_id',
      isRequired: true,
      chooses: { list: adminListStaff, labelOf: ({ name }) => textOf(name) },
    },
  ],
}

/** Who may not read the staff knows those who may answer tickets. */
const ASSIGN_TO_SUPPORT: Action = {
  ...ASSIGN,
  form: [
    {
      field: 'assignee_id',
      as: 'number',
      isRequired: true,
      chooses: {
        list: adminListTeamAssignees,
        labelOf: ({ name }) => textOf(name),
        idOf: ({ user_id }) => user_id,
      },
    },
  ],
}
