// What was done with records, the latest first: who, what, when, and on request what it changed.
import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import type { ItemOf, listAuditLog } from '@titular/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePerson } from '../context.tsx'
import { addressOf, type Here } from '../place.ts'
import { kindByResource } from '../resources/directory.ts'
import { timeIn } from '../texts/texts.ts'
import { useNamesOfActs } from './act-names.ts'
import { Changes } from './changes.tsx'

export type Act = ItemOf<typeof listAuditLog> & { organization_id?: number | null; organization_name?: string | null }

export function Timeline({ here, acts }: { here: Here; acts: readonly Act[] }) {
  return (
    <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {acts.map((act) => (
        <li key={act.id}>
          <Entry here={here} act={act} />
        </li>
      ))}
    </Stack>
  )
}

/** Where the record of an act is shown; null where it has no page. */
export function addressOfAct(here: Here, act: Act): string | null {
  const kind = kindByResource(act.resource)
  const owner = act.organization_id ?? here.organization
  return kind ? addressOf(here, kind, { id: act.resource_id, organization_id: owner }) : null
}

function Entry({ here, act }: { here: Here; act: Act }) {
  const { language } = usePerson()
  const { own, kindOf, actOf, whoOf } = useNamesOfActs()
  const [isOpen, setOpen] = useState(false)
  const address = addressOfAct(here, act)
  const record = `${kindOf(act.resource)} ${act.resource_id ?? ''}`
  const { before, after } = act.changes
  return (
    <Stack gap={2}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {address === null ? (
            record
          ) : (
            <Anchor component={Link} to={address} size="sm" underline="always">
              {record}
            </Anchor>
          )}
          {` · ${actOf(act.action)} · `}
          <Text span size="sm" c="dimmed">
            {whoOf(act)}
          </Text>
        </Text>
        <Group gap="xs">
          {(before !== null || after !== null) && (
            <Button size="compact-sm" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? own.hide : own.show}
            </Button>
          )}
          <Text component="time" dateTime={act.at} size="sm" c="dimmed">
            {timeIn(language, act.at)}
          </Text>
        </Group>
      </Group>
      {act.reason && (
        <Text size="sm" fs="italic">
          {act.reason}
        </Text>
      )}
      {isOpen && <Changes before={before} after={after} />}
    </Stack>
  )
}
