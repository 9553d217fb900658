// Labels with values, such as a bank account: as many as there are, and one more.
import { Button, CloseButton, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core'
import { useOwnTexts } from '../../context.tsx'
import { type Item, textOf } from '../../resources/resource.ts'
import { settingsTexts } from './texts.ts'

type PairsProps = {
  label: string
  description: string | undefined
  error: string | undefined
  disabled: boolean
  items: readonly Item[]
  onChange: (items: readonly Item[]) => void
}

export function Pairs({ label, description, error, disabled, items, onChange }: PairsProps) {
  const own = useOwnTexts(settingsTexts)
  const change = (at: number, changed: Item): void =>
    onChange(items.map((one, index) => (index === at ? { ...one, ...changed } : one)))
  return (
    <Fieldset legend={label} disabled={disabled}>
      <Stack gap="xs">
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
        {items.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- they have no other name than their place
          <Group key={index} wrap="nowrap" align="flex-end">
            <TextInput
              label={own.pairLabel}
              flex={1}
              value={textOf(item['label'])}
              onChange={(event) => change(index, { label: event.currentTarget.value })}
            />
            <TextInput
              label={own.pairValue}
              flex={2}
              value={textOf(item['value'])}
              onChange={(event) => change(index, { value: event.currentTarget.value })}
            />
            <CloseButton
              size="lg"
              aria-label={`${own.removePair} ${textOf(item['label'])}`}
              onClick={() => onChange(items.filter((_, at) => at !== index))}
            />
          </Group>
        ))}
        {error && (
          <Text size="sm" c="red" role="alert">
            {error}
          </Text>
        )}
        <Group>
          <Button variant="default" size="xs" onClick={() => onChange([...items, { label: '', value: '' }])}>
            {own.addPair}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}
