// The columns of a log.
import { Text } from '@mantine/core'
import { type Item, textOf } from '../resources/resource.ts'
import { useNamesOfActs } from './act-names.ts'

type OfActProps = { as: 'act' | 'actor' | 'record'; value: string; record: Item }

export function OfAct({ as, value, record }: OfActProps) {
  const { kindOf, actOf, whoOf } = useNamesOfActs()
  const said =
    as === 'act'
      ? actOf(value)
      : as === 'record'
        ? kindOf(value)
        : whoOf({ actor: value, actor_kind: textOf(record['actor_kind']) })
  return <Text>{said}</Text>
}
