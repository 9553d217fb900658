// The entries of the queue: each opens its record, is given to somebody, and snoozed.
import { Anchor, Badge, Stack, Text } from '@mantine/core'
import type { adminListQueue, ItemOf } from '@titular/sdk'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import type { Here } from '../../place.ts'
import { amountIn, distanceIn, nameOf, timeIn } from '../../texts/texts.ts'
import { addressOfEntry } from './kinds.ts'
import { queueTexts } from './texts.ts'

const Holder = lazy(async () => ({ default: (await import('./holder.tsx')).Holder }))

type Entry = ItemOf<typeof adminListQueue>
type Deadlines = ReadonlyMap<number, string | null>
type EntriesProps = { here: Here; entries: readonly Entry[]; deadlines: Deadlines | undefined }

export function Entries({ here, entries, deadlines }: EntriesProps) {
  const { language } = usePerson()
  const own = useOwnTexts(queueTexts)
  return (
    <div style={{ overflowX: 'auto' }}>
      <table className="queue">
        <thead>
          <tr>
            <th>{own.entry}</th>
            <th className="wide-only">{own.kind}</th>
            <th className="wide-only">{own.age}</th>
            {deadlines && <th className="wide-only">{own.deadline}</th>}
            <th>{own.who}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row
              key={`${entry.kind} ${entry.id}`}
              here={here}
              entry={{ ...entry, label: amountIn(language, entry.label) }}
              deadlines={deadlines}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ here, entry, deadlines }: { here: Here; entry: Entry; deadlines: Deadlines | undefined }) {
  const { language } = usePerson()
  const own = useOwnTexts(queueTexts)
  const address = addressOfEntry(here, entry)
  const due = entry.kind === 'tickets' ? deadlines?.get(entry.id) : null
  const isMissed = due ? new Date(due) < new Date() : false
  return (
    <tr>
      <td>
        <Stack gap={0}>
          {address === null ? (
            <Text style={{ overflowWrap: 'anywhere' }}>{entry.label}</Text>
          ) : (
            <Anchor component={Link} to={address} style={{ overflowWrap: 'anywhere' }}>
              {entry.label}
            </Anchor>
          )}
          {entry.organization_id !== null && entry.kind !== 'organizations' && (
            <Anchor component={Link} to={`/o/${entry.organization_id}`} size="sm" c="dimmed">
              {entry.organization_name}
            </Anchor>
          )}
          <Text size="sm" c="dimmed" hiddenFrom="sm">
            {nameOf(own.kinds, entry.kind)} · {distanceIn(language, due ?? entry.since)}
          </Text>
        </Stack>
      </td>
      <td className="wide-only">{nameOf(own.kinds, entry.kind)}</td>
      <td className="wide-only">
        <Text component="time" dateTime={entry.since} title={timeIn(language, entry.since)} size="sm">
          {distanceIn(language, entry.since)}
        </Text>
      </td>
      {deadlines && (
        <td className="wide-only">
          {due && (
            <Badge variant="light" color={isMissed ? 'red' : 'orange'} tt="none" title={timeIn(language, due)}>
              {isMissed ? '! ' : ''}
              {distanceIn(language, due)}
            </Badge>
          )}
        </td>
      )}
      <td>
        <Suspense>
          <Holder here={here} entry={entry} />
        </Suspense>
      </td>
    </tr>
  )
}
