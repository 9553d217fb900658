// The columns of a log.
import { Text } from '@mantine/core'
import { type Item, textOf } from '../resources/resource.ts'
import { useNamesOfActs } from './act-names.ts'

type OfActProps = { as: 'act' | 'actor' | 'record'; value: string; record: Item }

export function OfAct({ as, value, record }: OfActProps) {
  const { kindOf, actOf, whoOf, changerOf } = useNamesOfActs()
  if (as !== 'actor') return <Text>{as === 'act' ? actOf(value) : kindOf(value)}</Text>
  // Histories and requests name a person beside their id.
  const { changed_by: changer, requested_by: id = changer, actor_kind } = record
  const who = id === undefined ? whoOf({ actor: value, actor_kind: textOf(actor_kind) }) : undefined
  return <Text>{who ?? changerOf({ changed_by: id, changed_by_name: value })}</Text>
}
