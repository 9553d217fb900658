// What is said of a quote as a whole.
import { Autocomplete, Card, Select, SimpleGrid, Stack, Textarea, TextInput, Title } from '@mantine/core'
import { useOwnTexts, usePerson } from '../../context.tsx'
import type { Draft } from './draft.ts'
import { TEXTS } from './texts.ts'

type OfferProps = { draft: Draft; errors: Readonly<Record<string, string>>; onChange: (draft: Draft) => void }

export function OfferFields({ draft, errors, onChange }: OfferProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const { fields } = texts
  const set = (change: Partial<Draft>): void => onChange({ ...draft, ...change })
  return (
    <Card withBorder component="section">
      <Stack>
        <Title order={2} size="h4">
          {own.head}
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 5 }}>
          <Select
            label={fields.company}
            allowDeselect={false}
            value={draft.company}
            data={(['entity_br', 'entity_global'] as const).map((value) => ({ value, label: texts.values[value] }))}
            error={errors['company']}
            onChange={(chosen) => set({ company: chosen === 'entity_br' ? 'entity_br' : 'entity_global' })}
          />
          <Autocomplete
            label={fields.currency}
            required
            data={['BRL', 'USD', 'EUR']}
            value={draft.currency}
            error={errors['currency']}
            onChange={(typed) => set({ currency: typed.toUpperCase() })}
          />
          <TextInput
            label={fields.valid_until}
            required
            type="date"
            value={draft.validUntil}
            error={errors['valid_until']}
            onChange={(event) => set({ validUntil: event.currentTarget.value })}
          />
          <TextInput
            label={fields.purchase_order}
            value={draft.purchaseOrder}
            error={errors['purchase_order']}
            onChange={(event) => set({ purchaseOrder: event.currentTarget.value })}
          />
          <TextInput
            label={own.affiliate}
            value={draft.affiliate}
            error={errors['affiliate_code']}
            onChange={(event) => set({ affiliate: event.currentTarget.value })}
          />
        </SimpleGrid>
        <Textarea
          label={fields.notes}
          autosize
          minRows={2}
          maxRows={12}
          value={draft.notes}
          error={errors['notes']}
          onChange={(event) => set({ notes: event.currentTarget.value })}
        />
      </Stack>
    </Card>
  )
}
