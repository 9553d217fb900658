// Accepting a quote: the customer chooses among what is optional, sees what it costs, and goes on to the invoice, where the
// ways to pay are.
import {
  Alert,
  Anchor,
  Button,
  Card,
  Checkbox,
  Group,
  NumberInput,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { acceptQuote, getQuote, getQuotePayment, type LineItem, previewQuote } from '@titular/sdk'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { ScreenProps } from '../../screens.ts'
import { dayIn, filled, moneyIn, ownTexts } from '../../texts/texts.ts'

const TEXTS = ownTexts({
  en: {
    title: 'Accept quote {number}',
    back: 'Back to the quote',
    optional: 'optional',
    take: 'Take {name}',
    total: 'Total',
    due: 'An invoice follows, due on {day}.',
    order: 'Your purchase order',
    accept: 'Accept and order',
  },
  'pt-BR': {
    title: 'Aceitar o orçamento {number}',
    back: 'Voltar ao orçamento',
    optional: 'opcional',
    take: 'Levar {name}',
    total: 'Total',
    due: 'Uma fatura é emitida, com vencimento em {day}.',
    order: 'Seu pedido de compra',
    accept: 'Aceitar e pedir',
  },
})

type Choice = { index: number; is_chosen?: boolean; quantity?: number }

export function Screen({ here, rest }: ScreenProps) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const id = Number(rest)
  const [choices, setChoices] = useState<readonly Choice[]>([])
  const [order, setOrder] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  const quote = useQuery({
    queryKey: [here.key, 'quotes', 'choose', id],
    queryFn: () => here.client.call(getQuote, { id }),
  })
  const preview = useQuery({
    queryKey: [here.key, 'quotes', 'preview', id, choices],
    queryFn: () => here.client.call(previewQuote, { id, body: { line_items: [...choices] } }),
    placeholderData: keepPreviousData,
  })
  if (quote.error) return <Problem error={quote.error} />
  if (quote.isPending) return <Skeleton height={320} aria-hidden />
  const { number, currency, line_items } = quote.data
  const choose = (choice: Choice): void =>
    setChoices([
      ...choices.filter(({ index }) => index !== choice.index),
      { ...choices.find(({ index }) => index === choice.index), ...choice },
    ])
  async function accept(): Promise<void> {
    setRunning(true)
    setError(null)
    try {
      const purchase_order = order.trim() === '' ? null : order.trim()
      await here.client.call(acceptQuote, { id, body: { line_items: [...choices], purchase_order } })
      await queries.invalidateQueries({ queryKey: [here.key] })
      // Who may not see payments stays with the quote.
      const payment = await here.client.call(getQuotePayment, { id }).catch(() => null)
      const next = payment?.invoice_id ? `invoices/${payment.invoice_id}` : `quotes/${id}`
      await navigate({ to: `${here.path}/${next}` })
    } catch (failure) {
      setError(failure)
    }
    setRunning(false)
  }
  const total = preview.data?.order.total
  return (
    <Stack maw={760}>
      <Anchor component={Link} to={`${here.path}/quotes/${id}`}>
        ← {own.back}
      </Anchor>
      <Title order={1} size="h2">
        {filled(own.title, { number })}
      </Title>
      <Card withBorder>
        <Table.ScrollContainer minWidth={320} type="native">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{texts.record.line}</Table.Th>
                <Table.Th ta="right">{texts.record.quantity}</Table.Th>
                <Table.Th ta="right">{texts.record.amount}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {line_items.map((line, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- a line is named by its place
                <Table.Tr key={index}>
                  <Table.Td>
                    <What
                      line={line}
                      isChosen={choices.find((one) => one.index === index)?.is_chosen ?? line.is_chosen}
                      onChoose={(is_chosen) => choose({ index, is_chosen })}
                    />
                  </Table.Td>
                  <Table.Td ta="right">
                    <Quantity
                      line={line}
                      value={choices.find((one) => one.index === index)?.quantity ?? line.quantity}
                      onChange={(quantity) => choose({ index, quantity })}
                    />
                  </Table.Td>
                  <Table.Td ta="right">{moneyIn(language, line.total, currency)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Group justify="space-between" mt="md">
          <Text fw={700}>{own.total}</Text>
          <Text fw={700} size="xl" aria-live="polite">
            {total === undefined ? '…' : moneyIn(language, total, currency)}
          </Text>
        </Group>
      </Card>
      {preview.error && <Problem error={preview.error} />}
      {preview.data?.reason && <Alert color="orange">{preview.data.reason}</Alert>}
      {preview.data && <Text>{filled(own.due, { day: dayIn(language, preview.data.invoice.due_date) })}</Text>}
      <TextInput label={own.order} value={order} onChange={(event) => setOrder(event.currentTarget.value)} />
      {error !== null && <Problem error={error} />}
      <Group>
        <Button
          loading={isRunning}
          disabled={preview.data?.can_accept !== true || preview.isPlaceholderData}
          onClick={() => void accept()}
        >
          {own.accept}
        </Button>
      </Group>
    </Stack>
  )
}

type WhatProps = { line: LineItem; isChosen: boolean | undefined; onChoose: (isChosen: boolean) => void }

function What({ line, isChosen, onChoose }: WhatProps) {
  const own = useOwnTexts(TEXTS)
  if (!line.is_optional) return <Text>{line.product_name}</Text>
  return (
    <Checkbox
      label={`${line.product_name} (${own.optional})`}
      aria-label={filled(own.take, { name: line.product_name })}
      checked={isChosen === true}
      onChange={(event) => onChoose(event.currentTarget.checked)}
    />
  )
}

type QuantityProps = { line: LineItem; value: number; onChange: (quantity: number) => void }

function Quantity({ line, value, onChange }: QuantityProps) {
  const { texts } = usePerson()
  const { quantity_min, quantity_max, product_name } = line
  if (typeof quantity_min !== 'number' || typeof quantity_max !== 'number') return <>{value}</>
  return (
    <NumberInput
      aria-label={`${texts.record.quantity}: ${product_name}`}
      w={110}
      ml="auto"
      min={quantity_min}
      max={quantity_max}
      allowDecimal={false}
      value={value}
      onChange={(next) => typeof next === 'number' && onChange(next)}
    />
  )
}
