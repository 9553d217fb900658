// One setting, drawn by what its value is: a switch, a number, a text, a choice, a list, or labels with values.
import {
  Anchor,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core'
import type { ReactNode } from 'react'
import { useNamesOfActs } from '../../parts/act-names.ts'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { isItem, textOf } from '../../resources/resource.ts'
import { filled, nameOf, timeIn } from '../../texts/texts.ts'
import { CHOICES } from './known-settings.ts'
import { Pairs } from './pairs.tsx'
import { Profiles } from './profiles.tsx'
import { settingsTexts } from './texts.ts'

const LABELS_WITH_VALUES = new Set(['bank_account', 'deal_stages', 'issue_statuses'])

type SettingProps = {
  name: string
  /** As it is on the screen; null goes back to what the environment says. */
  value: unknown
  inForce: unknown
  error: string | undefined
  isFixed: boolean
  change: { changed_at: string; changed_by: number | null; changed_by_name: string } | undefined
  onChange: (value: unknown) => void
}

export function Setting({ name, value, inForce, error, isFixed, change, onChange }: SettingProps) {
  const { language } = usePerson()
  const own = useOwnTexts(settingsTexts)
  const { changerOf } = useNamesOfActs()
  const isReset = value === null && inForce !== null
  return (
    <Stack gap={4}>
      <Input {...{ name, error, isFixed, onChange }} value={isReset ? inForce : value} isReset={isReset} />
      <Group gap="md">
        <Text size="sm" c="dimmed">
          {isReset
            ? own.willReset
            : change
              ? filled(own.setBy, { who: changerOf(change), when: timeIn(language, change.changed_at) })
              : own.byEnvironment}
        </Text>
        {change && !isFixed && !isReset && (
          <Anchor component="button" type="button" size="sm" onClick={() => onChange(null)}>
            {own.reset}
          </Anchor>
        )}
      </Group>
    </Stack>
  )
}

type InputProps = Pick<SettingProps, 'name' | 'value' | 'error' | 'isFixed' | 'onChange'> & { isReset: boolean }

function Input({ name, value, error, isFixed, isReset, onChange }: InputProps): ReactNode {
  const own = useOwnTexts(settingsTexts)
  const { texts } = usePerson()
  const choices = CHOICES[name]
  const common = {
    label: nameOf(own.names, name),
    description: nameOf(own.hints, name) === name ? undefined : nameOf(own.hints, name),
    error,
    disabled: isFixed || isReset,
  }
  const data = choices?.map((one) => ({
    value: one,
    label: own.values[`${name}.${one}`] ?? own.values[one] ?? nameOf(texts.values, one),
  }))
  if (typeof value === 'boolean')
    return <Switch {...common} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
  if (typeof value === 'number')
    return (
      <NumberInput
        {...common}
        maw={240}
        value={value}
        onChange={(next) => (next === '' ? undefined : onChange(Number(next)))}
      />
    )
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    if (name === 'fiscal_profiles') return <Profiles {...common} items={items.filter(isItem)} onChange={onChange} />
    if (LABELS_WITH_VALUES.has(name) || items.some(isItem))
      return <Pairs {...common} items={items.filter(isItem)} onChange={onChange} />
    const given = items.map(textOf)
    if (data)
      return <MultiSelect {...common} searchable={data.length > 12} data={data} value={given} onChange={onChange} />
    const isOfNumbers = items.every((one) => typeof one === 'number')
    return (
      <TagsInput
        {...common}
        value={given}
        onChange={(next) => onChange(isOfNumbers ? next.map(Number).filter((one) => Number.isSafeInteger(one)) : next)}
      />
    )
  }
  if (data)
    return <Select {...common} maw={400} allowDeselect={false} data={data} value={textOf(value)} onChange={onChange} />
  return <TextInput {...common} value={textOf(value)} onChange={(event) => onChange(event.currentTarget.value)} />
}
