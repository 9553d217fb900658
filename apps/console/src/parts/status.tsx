// A state, told apart by its word as well as by its color.
import { Badge } from '@mantine/core'
import { usePerson } from '../context.tsx'
import { nameOf } from '../texts/texts.ts'

const COLORS: Readonly<Record<string, string>> = {
  active: 'green',
  accepted: 'green',
  approved: 'green',
  completed: 'green',
  delivered: 'green',
  fulfilled: 'green',
  issued: 'green',
  paid: 'green',
  resolved: 'green',
  open: 'blue',
  sent: 'blue',
  viewed: 'blue',
  processing: 'blue',
  in_progress: 'blue',
  trialing: 'blue',
  error: 'red',
  failed: 'red',
  past_due: 'red',
  unpaid: 'red',
  suspended: 'orange',
  waiting: 'orange',
  'on-hold': 'orange',
  on_hold: 'orange',
  paused: 'orange',
  pending: 'orange',
  maintenance: 'orange',
}

export const colorOf = (state: string): string => COLORS[state] ?? 'gray'

export function Status({ value }: { value: string }) {
  const { texts } = usePerson()
  return (
    <Badge className="whole" variant="light" color={colorOf(value)} tt="none" fw={600}>
      {nameOf(texts.statuses, value)}
    </Badge>
  )
}
