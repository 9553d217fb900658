// What the quote adds up to, as the service has computed it last.
import { Group, Text } from '@mantine/core'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Problem } from '../../parts/problem.tsx'
import { textOf } from '../../resources/resource.ts'
import { moneyIn } from '../../texts/texts.ts'
import { TEXTS } from './texts.ts'
import type { Totals } from './totals.ts'

export function TotalsCard({ totals: { quote, isStale, error }, currency }: { totals: Totals; currency: string }) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  if (error !== null) return <Problem error={error} />
  if (!quote) return <Text c="dimmed">{own.wait}</Text>
  return (
    <Group component="dl" m={0} gap="lg" justify="flex-end" aria-label={own.totals} aria-live="polite">
      {(['subtotal', 'discount_total', 'tax_total', 'total'] as const).map((field) => (
        <div key={field}>
          <Text component="dt" size="sm" c="dimmed">
            {texts.fields[field]}
          </Text>
          <Text
            component="dd"
            m={0}
            fw={field === 'total' ? 700 : 400}
            opacity={isStale ? 0.6 : 1}
            style={{ fontVariantNumeric: 'tabular-nums' }}
          >
            {moneyIn(language, textOf(quote[field]), textOf(quote['currency']) || currency)}
          </Text>
        </div>
      ))}
    </Group>
  )
}
