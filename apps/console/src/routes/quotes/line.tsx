// One line of a quote that is written: the frequent fields in sight, the others behind a button, errors beside each.
import { Button, Card, Group, Select, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import type { AdminProduct } from '@titular/sdk'
import { useState } from 'react'
import { useOwnTexts, usePerson } from '../../context.tsx'
import type { Here } from '../../place.ts'
import { type Item, textOf } from '../../resources/resource.ts'
import { filled, moneyIn, nameOf } from '../../texts/texts.ts'
import { CLASSES, type Draft, type Line } from './draft.ts'
import { More } from './more.tsx'
import { TEXTS } from './texts.ts'

export type LineErrors = (field: string) => string | undefined

type LineProps = {
  here: Here
  index: number
  line: Line
  draft: Draft
  products: readonly AdminProduct[]
  /** The line as the service computes it. */
  computed: Item | undefined
  isStale: boolean
  /** A field of it is empty or wrong: what was computed before says nothing of it. */
  isWrong: boolean
  errorOf: LineErrors
  onChange: (line: Line) => void
  onRemove: () => void
  onCopy: () => void
  onUp: (() => void) | null
}

/** Fields behind the button: it opens by itself where one of them is wrong. */
const HIDDEN = ['tax_percent', 'description', 'entitlement_code', 'quantity_min', 'quantity_max', 'price_index']

export function LineCard({ index, line, draft, products, computed, errorOf, onChange, ...rest }: LineProps) {
  const { isStale, isWrong } = rest
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const [isOpen, setOpen] = useState(false)
  const isMore = isOpen || HIDDEN.some((field) => errorOf(field) !== undefined)
  const set = (change: Partial<Line>): void => onChange({ ...line, ...change })
  /** What the catalogue supplies is no longer that of the product before. */
  const choose = (chosen: string): void =>
    set({ product: chosen, name: '', price: '', recurs: chosen === '' ? 'once' : '', features: undefined })
  const product = products.find(({ id }) => String(id) === line.product)
  const listed = product?.prices.find(
    ({ company, currency }) => company === draft.company && currency === draft.currency,
  )
  const isKnown = line.product === '' || product !== undefined
  return (
    <Card withBorder component="section" aria-label={filled(own.line, { number: String(index + 1) })}>
      <Stack>
        <Group justify="space-between">
          <Title order={3} size="h5">
            {filled(own.line, { number: String(index + 1) })}
          </Title>
          <Text fw={600} opacity={isStale ? 0.6 : 1} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {computed && (isWrong ? '—' : moneyIn(language, textOf(computed['total']), draft.currency))}
          </Text>
        </Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={own.product}
            searchable
            value={line.product}
            data={[
              { value: '', label: own.byHand },
              ...(isKnown ? [] : [{ value: line.product, label: line.name }]),
              ...products.map(({ id, sku, name }) => ({ value: String(id), label: `${name} · ${sku}` })),
            ]}
            allowDeselect={false}
            error={errorOf('product_id')}
            onChange={(chosen) => choose(chosen ?? '')}
          />
          {line.product === '' ? (
            <TextInput
              label={own.name}
              required
              value={line.name}
              error={errorOf('product_name')}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
          ) : (
            <TextInput
              label={own.name}
              placeholder={product?.name}
              value={line.name}
              error={errorOf('product_name')}
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
          )}
        </SimpleGrid>
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
          <TextInput
            label={texts.fields.quantity}
            required
            inputMode="numeric"
            value={line.quantity}
            error={errorOf('quantity')}
            onChange={(event) => set({ quantity: event.currentTarget.value })}
          />
          <TextInput
            label={own.price}
            required={line.product === ''}
            inputMode="decimal"
            placeholder={listed?.unit_price}
            value={line.price}
            error={errorOf('unit_price')}
            onChange={(event) => set({ price: event.currentTarget.value })}
          />
          <TextInput
            label={own.discount}
            inputMode="decimal"
            value={line.discount}
            error={errorOf('discount') ?? errorOf('discount_percent')}
            onChange={(event) => set({ discount: event.currentTarget.value })}
          />
          <Select
            label={own.discountIn}
            allowDeselect={false}
            value={line.discountIn}
            data={[
              { value: 'percent', label: own.percent },
              { value: 'amount', label: own.money },
            ]}
            onChange={(chosen) => set({ discountIn: chosen === 'amount' ? 'amount' : 'percent' })}
          />
          <Select
            label={own.recurs}
            allowDeselect={false}
            value={line.recurs}
            data={[
              ...(line.product === '' ? [] : [{ value: '', label: own.recursOfCatalogue }]),
              { value: 'once', label: own.once },
              { value: 'term', label: own.term },
              { value: 'month', label: own.month },
              { value: 'year', label: own.year },
            ]}
            error={errorOf('interval')}
            onChange={(chosen) => set({ recurs: RECURS.find((one) => one === chosen) ?? '' })}
          />
          {line.recurs === 'term' && (
            <TextInput
              label={own.months}
              inputMode="numeric"
              value={line.months}
              error={errorOf('term_months')}
              onChange={(event) => set({ months: event.currentTarget.value })}
            />
          )}
          {line.product === '' && (
            <Select
              label={texts.fields.class}
              allowDeselect={false}
              value={line.class}
              data={CLASSES.map((value) => ({ value, label: nameOf(texts.values, value) }))}
              error={errorOf('entitlement_class')}
              onChange={(chosen) => set({ class: chosen ?? 'SVC' })}
            />
          )}
        </SimpleGrid>
        {product && line.price.trim() === '' && (
          <Text size="sm" c={listed ? 'dimmed' : 'orange'}>
            {listed
              ? filled(own.priceOfCatalogue, { price: moneyIn(language, listed.unit_price, listed.currency) })
              : filled(own.noPrice, { currency: draft.currency })}
          </Text>
        )}
        {isMore && <More line={line} set={set} errorOf={errorOf} here={rest.here} />}
        <Buttons {...rest} isMore={isMore} onMore={() => setOpen(!isMore)} />
      </Stack>
    </Card>
  )
}

const RECURS = ['', 'once', 'term', 'month', 'year'] as const

type ButtonsProps = Pick<LineProps, 'onRemove' | 'onCopy' | 'onUp'> & { isMore: boolean; onMore: () => void }

function Buttons({ onRemove, onCopy, onUp, isMore, onMore }: ButtonsProps) {
  const own = useOwnTexts(TEXTS)
  return (
    <Group gap="xs">
      <Button variant="default" aria-expanded={isMore} onClick={onMore}>
        {isMore ? own.less : own.more}
      </Button>
      {onUp && (
        <Button variant="default" onClick={onUp}>
          {own.up}
        </Button>
      )}
      <Button variant="default" onClick={onCopy}>
        {own.copy}
      </Button>
      <Button variant="default" c="red" onClick={onRemove}>
        {own.remove}
      </Button>
    </Group>
  )
}
