// The lines of a quote that is written, in their order.
import { Button, Stack, Text, Title } from '@mantine/core'
import type { AdminProduct } from '@titular/sdk'
import { useOwnTexts } from '../../context.tsx'
import type { Here } from '../../place.ts'
import { type Item, itemsOf } from '../../resources/resource.ts'
import { type Draft, isLineComplete, type Line, newLine } from './draft.ts'
import { LineCard } from './line.tsx'
import { TEXTS } from './texts.ts'

type LinesProps = {
  here: Here
  draft: Draft
  products: readonly AdminProduct[]
  /** As the service computes it. */
  quote: Item | null
  /** Whether what it computed is of an earlier draft. */
  isStale: boolean
  errors: Readonly<Record<string, string>>
  onChange: (draft: Draft) => void
}

export function LinesOf({ here, draft, products, quote, isStale, errors, onChange }: LinesProps) {
  const own = useOwnTexts(TEXTS)
  const { lines } = draft
  const computed = itemsOf(quote?.['line_items'])
  const set = (next: readonly Line[]): void => onChange({ ...draft, lines: next })
  return (
    <Stack component="section">
      <Title order={2} size="h4">
        {own.lines}
      </Title>
      {errors['line_items'] && (
        <Text c="red" role="alert">
          {errors['line_items']}
        </Text>
      )}
      {lines.map((line, index) => (
        <LineCard
          key={line.key}
          {...{ here, index, line, draft, products }}
          computed={computed.length === lines.length ? computed[index] : undefined}
          isStale={isStale}
          isWrong={!isLineComplete(line) || Object.keys(errors).some((path) => path.startsWith(`line_items.${index}.`))}
          errorOf={(field) => errors[`line_items.${index}.${field}`]}
          onChange={(next) => set(lines.with(index, next))}
          onRemove={() => set(lines.toSpliced(index, 1))}
          onCopy={() => set(lines.toSpliced(index + 1, 0, { ...line, key: newLine().key }))}
          onUp={index === 0 ? null : () => set(lines.toSpliced(index, 1).toSpliced(index - 1, 0, line))}
        />
      ))}
      <div>
        <Button variant="default" onClick={() => set([...lines, newLine()])}>
          {own.add}
        </Button>
      </div>
    </Stack>
  )
}
