// Somebody else has saved the quote meanwhile: what they have beside what is typed here, and which of both shall count.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Quote } from '@titular/sdk'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Changes } from '../../parts/changes.tsx'
import type { Item } from '../../resources/resource.ts'
import { filled } from '../../texts/texts.ts'
import { type Draft, draftOf, type Line } from './draft.ts'
import { TEXTS } from './texts.ts'

type ConflictProps = { theirs: Quote; mine: Draft; onTheirs: () => void; onMine: () => void }

export function Conflict({ theirs, mine, onTheirs, onMine }: ConflictProps) {
  const { language } = usePerson()
  const own = useOwnTexts(TEXTS)
  return (
    <Alert color="orange" role="alert">
      <Stack gap="xs">
        <Text>{own.changed}</Text>
        <Changes before={shownOf(draftOf(theirs, language), own.line)} after={shownOf(mine, own.line)} />
        <Group>
          <Button variant="default" onClick={onTheirs}>
            {own.theirs}
          </Button>
          <Button variant="default" onClick={onMine}>
            {own.mine}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

/** By the names that people know; a line in one line. */
const shownOf = ({ lines, ...draft }: Draft, line: string): Item => ({
  company: draft.company,
  currency: draft.currency,
  valid_until: draft.validUntil,
  purchase_order: draft.purchaseOrder,
  notes: draft.notes,
  affiliate_code: draft.affiliate,
  ...Object.fromEntries(lines.map((one, index) => [filled(line, { number: String(index + 1) }), sentenceOf(one)])),
})

const sentenceOf = ({ quantity, name, price, discount, discountIn, tax, description }: Line): string =>
  [
    `${quantity} × ${name}`,
    price,
    discount === '' ? '' : `− ${discount}${discountIn === 'percent' ? ' %' : ''}`,
    tax === '' ? '' : `+ ${tax} %`,
    description,
  ]
    .filter((part) => part !== '')
    .join(' · ')
