// How much waits, beside the entry of the menu that shows it. Events of the place let it be read again (parts/live.ts).
import { Badge, VisuallyHidden } from '@mantine/core'
import { adminGetQueueCounts, getInboxCount, listActions } from '@titular/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import { filled } from '../texts/texts.ts'

type CountProps = { here: Here }

export const queueCounts = ({ key, client }: Here) =>
  queryOptions({ queryKey: [key, 'queue', 'counts'], queryFn: () => client.call(adminGetQueueCounts) })

export const actionsIn = ({ key, client }: Here) =>
  queryOptions({ queryKey: [key, 'actions'], queryFn: () => client.call(listActions) })

export function CountOfQueue({ here }: CountProps) {
  const { data } = useQuery(queueCounts(here))
  return <Figure count={sumOf(data?.counts.map(({ open }) => open))} />
}

export function CountOfActions({ here }: CountProps) {
  const { data } = useQuery(actionsIn(here))
  const actions = data?.actions ?? []
  return <Figure count={sumOf(actions.map(({ count }) => count))} isMore={actions.some(({ has_more }) => has_more)} />
}

export function CountOfInbox({ here }: CountProps) {
  const { data } = useQuery({
    queryKey: [here.key, 'inbox', 'count'],
    queryFn: () => here.client.call(getInboxCount),
  })
  return <Figure count={data?.unread ?? 0} />
}

const sumOf = (counts: readonly number[] = []): number => counts.reduce((sum, count) => sum + count, 0)

function Figure({ count, isMore = false }: { count: number; isMore?: boolean }) {
  const { texts } = usePerson()
  if (count === 0) return null
  const written = `${count}${isMore ? '+' : ''}`
  return (
    <>
      <Badge aria-hidden size="sm" variant="light">
        {written}
      </Badge>
      <VisuallyHidden>{filled(texts.home.count, { count: written })}</VisuallyHidden>
    </>
  )
}
