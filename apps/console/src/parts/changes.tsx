// What a change did to a record: each field that is another now, as it was and as it is.
import { Button, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useOwnTexts, usePerson } from '../context.tsx'
import { isItem, textOf } from '../resources/resource.ts'
import { dayIn, type Language, moneyIn, nameOf, ownTexts, timeIn } from '../texts/texts.ts'

const MAX_LENGTH = 120
const DAY = /^\d{4}-\d\d-\d\d$/
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

/** By their names, since versions and rates look alike. */
const OF_MONEY = /(^|_)(amount|total|subtotal|price|fine|interest|balance|surplus)($|_)|^amount_/
const AMOUNT = /^-?\d+\.\d{2,4}$/

type Wording = { language: Language; names: Readonly<Record<string, string>>; currency: string }

function written(field: string, value: unknown, { language, names, currency }: Wording): string {
  if (value === null || value === undefined || value === '') return '–'
  if (typeof value === 'boolean') return value ? '✓' : '✗'
  if (typeof value === 'string' && DAY.test(value)) return dayIn(language, value)
  if (typeof value === 'string' && TIME.test(value)) return timeIn(language, value)
  if (typeof value === 'string' && AMOUNT.test(value) && OF_MONEY.test(field)) return moneyIn(language, value, currency)
  const text =
    typeof value === 'object' ? JSON.stringify(value) : typeof value === 'string' ? nameOf(names, value) : textOf(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)} …` : text
}

export const isOther = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) !== JSON.stringify(other ?? null)

/** `currency`: of the record, where the change does not say it. `names`: of fields that have their own. */
type ChangesProps = { before: unknown; after: unknown; currency?: unknown; names?: Readonly<Record<string, string>> }

export function Changes({ before: given, after: now, currency: of, names }: ChangesProps) {
  const { texts, language } = usePerson()
  const [before, after] = [isItem(given) ? given : {}, isItem(now) ? now : {}]
  const currency = textOf(after['currency'] ?? before['currency'] ?? of)
  const as = { language, currency, names: { ...texts.values, ...texts.statuses } }
  const fields = Object.keys({ ...before, ...after }).filter((field) => isOther(before[field], after[field]))
  if (fields.length === 0) return <Text c="dimmed">–</Text>
  return (
    <Table withRowBorders={false} verticalSpacing={2} fz="sm" layout="fixed" style={{ overflowWrap: 'anywhere' }}>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field}>
            <Table.Td>{nameOf({ ...texts.fields, ...names }, field)}</Table.Td>
            <Table.Td c="dimmed">{written(field, before[field], as)}</Table.Td>
            <Table.Td>{written(field, after[field], as)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** In a list they show on request. */
export function FoldedChanges({ value }: { value: unknown }) {
  const own = useOwnTexts(changesTexts)
  const [isOpen, setOpen] = useState(false)
  const { before, after } = isItem(value) ? value : {}
  if (!isItem(before) && !isItem(after)) return <Text c="dimmed">–</Text>
  return (
    <Stack gap={4} align="flex-start">
      <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? own.hide : own.show}
      </Button>
      {isOpen && <Changes before={before} after={after} />}
    </Stack>
  )
}

const changesTexts = ownTexts({
  en: { show: 'Show', hide: 'Hide' },
  'pt-BR': { show: 'Mostrar', hide: 'Ocultar' },
})
