// The columns of a log.
import { Text } from '@mantine/core'
import { type Item, textOf } from '../resources/resource.ts'
import { useNamesOfActs } from './act-names.ts'

type OfActProps = { as: 'act' | 'actor' | 'record'; value: string; record: Item }

export function OfAct({ as, value, record }: OfActProps) {
  const { kindOf, actOf, whoOf, changerOf } = useNamesOfActs()
  const said =
    as === 'act'
      ? actOf(value)
      : as === 'record'
        ? kindOf(value)
        : record['changed_by'] === undefined
          ? whoOf({ actor: value, actor_kind: textOf(record['actor_kind']) })
          : changerOf({ changed_by: record['changed_by'], changed_by_name: value })
  return <Text>{said}</Text>
}
