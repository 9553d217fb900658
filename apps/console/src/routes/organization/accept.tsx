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
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { acceptQuote, getQuote, getQuotePayment, previewQuote } from '@titular/sdk'
import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Lines } from '../../parts/lines.tsx'
import { Problem } from '../../parts/problem.tsx'
import { textOf } from '../../resources/resource.ts'
import type { ScreenProps } from '../../screens.ts'
import { dayIn, filled, moneyIn, ownTexts } from '../../texts/texts.ts'
import { bodyOf, boundsOf, type Choice, type ChosenLine, chosenLines, isWithin, pricedLines } from './choices.ts'

const TEXTS = ownTexts({
  en: {
    title: 'Accept quote {number}',
    back: 'Back to the quote',
    take: 'Take {name}',
    total: 'Total',
    due: 'An invoice follows, due on {day}.',
    again: 'What is billed monthly or yearly is billed again until it is cancelled.',
    between: 'From {least} to {most}',
    toOrder: 'To the order',
    order: 'Your purchase order',
    accept: 'Accept and order',
  },
  'pt-BR': {
    title: 'Aceitar o orçamento {number}',
    back: 'Voltar ao orçamento',
    take: 'Levar {name}',
    total: 'Total',
    due: 'Uma fatura é emitida, com vencimento em {day}.',
    again: 'O que tem cobrança mensal ou anual é cobrado de novo até ser cancelado.',
    between: 'De {least} a {most}',
    toOrder: 'Ir para o pedido',
    order: 'Seu pedido de compra',
    accept: 'Aceitar e pedir',
  },
})

export function Screen({ here, rest }: ScreenProps) {
  const { language } = usePerson()
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
  const lines = chosenLines(quote.data?.line_items ?? [], choices)
  const isComplete = lines.every(isWithin)
  const line_items = bodyOf(lines)
  const preview = useQuery({
    queryKey: [here.key, 'quotes', 'preview', id, line_items],
    queryFn: isComplete && quote.data ? () => here.client.call(previewQuote, { id, body: { line_items } }) : skipToken,
    placeholderData: keepPreviousData,
  })
  if (quote.error) return <Problem error={quote.error} />
  if (quote.isPending) return <Skeleton height={320} aria-hidden />
  const { number, currency, order_id } = quote.data
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
      await here.client.call(acceptQuote, { id, body: { line_items, purchase_order } })
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
  const isKnown = isComplete && preview.data !== undefined && !preview.isPlaceholderData
  const { can_accept: canAccept, reason } = preview.data ?? {}
  return (
    <Stack maw={760}>
      <Anchor component={Link} to={`${here.path}/quotes/${id}`}>
        ← {own.back}
      </Anchor>
      <Title order={1} size="h2">
        {filled(own.title, { number })}
      </Title>
      {reason && (
        <Alert color="orange">
          <Text size="sm">{reason}</Text>
          {order_id !== null && (
            <Anchor component={Link} to={`${here.path}/orders/${order_id}`} display="block">
              {own.toOrder}
            </Anchor>
          )}
        </Alert>
      )}
      <Card withBorder>
        <Lines
          lines={pricedLines(lines, isKnown ? preview.data.order.line_items : null)}
          currency={currency}
          nameOf={({ product_name, is_optional, is_chosen }, index) =>
            canAccept === true && is_optional === true ? (
              <What
                name={textOf(product_name)}
                isChosen={is_chosen === true}
                onChoose={(chosen) => choose({ index, is_chosen: chosen })}
              />
            ) : null
          }
          quantityOf={(_, index) =>
            canAccept === true && lines[index] && boundsOf(lines[index].offered) ? (
              <Quantity line={lines[index]} onChange={(quantity) => choose({ index, quantity })} />
            ) : null
          }
        />
        <Group justify="space-between" mt="md">
          <Text fw={700}>{own.total}</Text>
          <Text fw={700} size="xl" aria-live="polite">
            {isKnown ? moneyIn(language, preview.data.order.total, currency) : '…'}
          </Text>
        </Group>
      </Card>
      {isComplete && preview.error && <Problem error={preview.error} />}
      {canAccept === true && isKnown && (
        <Text>
          {filled(own.due, { day: dayIn(language, preview.data.invoice.due_date) })}
          {preview.data.order.line_items.some(({ interval }) => interval !== undefined) && ` ${own.again}`}
        </Text>
      )}
      {canAccept !== false && (
        <TextInput label={own.order} value={order} onChange={(event) => setOrder(event.currentTarget.value)} />
      )}
      {error !== null && <Problem error={error} />}
      {canAccept !== false && (
        <Group>
          <Button loading={isRunning} disabled={!isKnown} onClick={() => void accept()}>
            {own.accept}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

type WhatProps = { name: string; isChosen: boolean; onChoose: (isChosen: boolean) => void }

function What({ name, isChosen, onChoose }: WhatProps) {
  const own = useOwnTexts(TEXTS)
  return (
    <Checkbox
      label={name}
      aria-label={filled(own.take, { name })}
      checked={isChosen}
      onChange={(event) => onChoose(event.currentTarget.checked)}
    />
  )
}

function Quantity({ line, onChange }: { line: ChosenLine; onChange: (quantity: number | string) => void }) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const [least = 1, most = 1] = boundsOf(line.offered) ?? []
  return (
    <NumberInput
      aria-label={`${texts.record.quantity}: ${line.offered.product_name}`}
      w={120}
      ml="auto"
      min={least}
      max={most}
      // What somebody typed is told to be wrong, and never changed into what they did not type.
      clampBehavior="none"
      allowDecimal={false}
      disabled={!line.isChosen}
      error={!isWithin(line) && filled(own.between, { least: String(least), most: String(most) })}
      value={line.quantity}
      onChange={onChange}
    />
  )
}
