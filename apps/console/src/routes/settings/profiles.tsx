// The fiscal profiles, as the JSON that the accountant has: what is no list of objects is not taken.
import { JsonInput } from '@mantine/core'
import { useState } from 'react'
import { useOwnTexts } from '../../context.tsx'
import { isItem, type Item } from '../../resources/resource.ts'
import { settingsTexts } from './texts.ts'

type ProfilesProps = {
  label: string
  description: string | undefined
  error: string | undefined
  disabled: boolean
  items: readonly Item[]
  onChange: (items: readonly Item[]) => void
}

export function Profiles({ items, error, onChange, ...common }: ProfilesProps) {
  const own = useOwnTexts(settingsTexts)
  const [written, setWritten] = useState<string | null>(null)
  const read = (text: string): void => {
    const profiles = profilesIn(text)
    setWritten(text)
    if (profiles) onChange(profiles)
  }
  const isWrong = written !== null && profilesIn(written) === null
  return (
    <JsonInput
      {...common}
      autosize
      minRows={4}
      maxRows={24}
      spellCheck={false}
      styles={{ input: { fontFamily: 'monospace' } }}
      value={written ?? JSON.stringify(items, null, 2)}
      validationError={own.noProfiles}
      error={isWrong ? own.noProfiles : error}
      onChange={read}
      onBlur={() => isWrong || setWritten(null)}
    />
  )
}

function profilesIn(text: string): Item[] | null {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) && found.every(isItem) ? found : null
  } catch {
    return null
  }
}
