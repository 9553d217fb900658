// The fields of a line that few lines need.
import { Group, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { listEntitlements } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useOwnTexts, usePerson } from '../../context.tsx'
import type { Here } from '../../place.ts'
import type { Line } from './draft.ts'
import type { LineErrors } from './line.tsx'
import { TEXTS } from './texts.ts'

type MoreProps = { line: Line; set: (change: Partial<Line>) => void; errorOf: LineErrors; here: Here }

export function More({ line, set, errorOf, here }: MoreProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const { data: entitlements = [] } = useQuery({
    queryKey: [here.key, 'entitlements', 'to extend'],
    queryFn: () => here.client.call(listEntitlements, { status: ['active', 'suspended', 'expired'], per_page: 100 }),
  })
  const texted = (field: 'tax' | 'least' | 'most' | 'index', label: string, name: string) => (
    <TextInput
      label={label}
      inputMode={field === 'index' ? 'text' : 'decimal'}
      value={line[field]}
      error={errorOf(name)}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
    />
  )
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {texted('tax', own.tax, 'tax_percent')}
        {texted('index', own.index, 'price_index')}
        {texted('least', own.least, 'quantity_min')}
        {texted('most', own.most, 'quantity_max')}
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {own.choice}
      </Text>
      <Select
        label={own.extends}
        searchable
        clearable
        value={line.extends === '' ? null : line.extends}
        data={[
          ...entitlements.map(({ code, product_name }) => ({ value: code, label: `${code} ${product_name}` })),
          ...(line.extends === '' || entitlements.some(({ code }) => code === line.extends) ? [] : [line.extends]),
        ]}
        error={errorOf('entitlement_code')}
        onChange={(chosen) => set({ extends: chosen ?? '' })}
      />
      <Textarea
        label={texts.fields.description}
        autosize
        minRows={2}
        maxRows={12}
        value={line.description}
        error={errorOf('description')}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Group>
        <Switch
          label={own.isOptional}
          checked={line.isOptional}
          onChange={(event) => set({ isOptional: event.currentTarget.checked })}
        />
        {line.isOptional && (
          <Switch
            label={own.isChosen}
            checked={line.isChosen}
            onChange={(event) => set({ isChosen: event.currentTarget.checked })}
          />
        )}
      </Group>
    </Stack>
  )
}
