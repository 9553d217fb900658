// The lines of an offer, an order or a paper: what each is, for how long, how often it is billed, and how its amount
// comes about, as the PDF says it.
import { Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useOwnTexts, usePerson } from '../context.tsx'
import { type Item, textOf } from '../resources/resource.ts'
import { filled, moneyIn, ownTexts, percentIn } from '../texts/texts.ts'

const TEXTS = ownTexts({
  en: {
    month: 'billed monthly',
    year: 'billed yearly',
    oneMonth: 'for 1 month',
    months: 'for {count} months',
    included: 'Optional; included in the total',
    leftOut: 'Optional; not in the total',
    between: 'Quantity from {least} to {most}',
    tax: 'Tax',
  },
  'pt-BR': {
    month: 'cobrança mensal',
    year: 'cobrança anual',
    oneMonth: 'por 1 mês',
    months: 'por {count} meses',
    included: 'Opcional; incluído no total',
    leftOut: 'Opcional; fora do total',
    between: 'Quantidade de {least} a {most}',
    tax: 'Imposto',
  },
})

type LinesProps = {
  lines: readonly Item[]
  currency: string
  /** In place of the name and the quantity, where somebody may choose. */
  nameOf?: (line: Item, index: number) => ReactNode
  quantityOf?: (line: Item, index: number) => ReactNode
}

export function Lines({ lines, currency, nameOf, quantityOf }: LinesProps) {
  const { texts } = usePerson()
  return (
    <Table.ScrollContainer minWidth={320} type="native" className="cards">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.record.line}</Table.Th>
            <Table.Th ta="right">{texts.record.quantity}</Table.Th>
            <Table.Th ta="right">{texts.fields.unit_price}</Table.Th>
            <Table.Th ta="right">{texts.record.amount}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no other name than their place
            <Table.Tr key={index}>
              <Table.Td data-label={texts.record.line}>
                <Stack gap={0}>
                  {nameOf?.(line, index) ?? <Text>{textOf(line['product_name']) || textOf(line['description'])}</Text>}
                  <Terms line={line} />
                </Stack>
              </Table.Td>
              <Table.Td ta="right" data-label={texts.record.quantity}>
                {quantityOf?.(line, index) ?? <span>{textOf(line['quantity'])}</span>}
              </Table.Td>
              <Table.Td ta="right" data-label={texts.fields.unit_price}>
                <Money amount={line['unit_price']} currency={currency} />
              </Table.Td>
              <Table.Td ta="right" data-label={texts.record.amount}>
                <Amount line={line} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

const isLeftOut = (line: Item): boolean => line['is_optional'] === true && line['is_chosen'] !== true

function Terms({ line }: { line: Item }) {
  const own = useOwnTexts(TEXTS)
  const { term_months: months, interval, quantity_min: least, quantity_max: most } = line
  const terms = [
    typeof months === 'number' && (months === 1 ? own.oneMonth : filled(own.months, { count: String(months) })),
    (interval === 'month' || interval === 'year') && own[interval],
    textOf(line['product_name']) !== '' && textOf(line['description']),
    typeof least === 'number' &&
      typeof most === 'number' &&
      filled(own.between, { least: String(least), most: String(most) }),
    line['is_optional'] === true && (isLeftOut(line) ? own.leftOut : own.included),
  ].filter((term): term is string => typeof term === 'string' && term !== '')
  return terms.map((term) => (
    <Text key={term} size="sm" c="dimmed" style={{ whiteSpace: 'pre-line' }}>
      {term}
    </Text>
  ))
}

/** A discount and a tax are said below what they are part of. */
function Amount({ line, currency }: { line: Item; currency: string }) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const discount = textOf(line['discount'])
  const rate = textOf(line['tax_rate'])
  return (
    <Stack gap={0}>
      <Text className="figure" {...(isLeftOut(line) && { c: 'dimmed' })}>
        <Money amount={line['total']} currency={currency} />
      </Text>
      {/[1-9]/.test(discount) && (
        <Text size="sm" c="dimmed">
          {texts.fields.discount_total} <Money amount={`-${discount}`} currency={currency} />
        </Text>
      )}
      {rate !== '' && (
        <Text size="sm" c="dimmed">
          {own.tax} <Money amount={line['tax']} currency={currency} /> ({percentIn(language, Number(rate))})
        </Text>
      )}
    </Stack>
  )
}

function Money({ amount, currency }: { amount: unknown; currency: string }) {
  const { language } = usePerson()
  return typeof amount === 'string' ? (
    <span style={{ whiteSpace: 'nowrap' }}>{moneyIn(language, amount, currency)}</span>
  ) : null
}
