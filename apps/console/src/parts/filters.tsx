// The filters of a list, and its order: what is chosen or typed goes into the address.
import { Group, MultiSelect, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { usePerson } from '../context.tsx'
import type { Filter, Resource } from '../resources/resource.ts'
import { filled, nameOf } from '../texts/texts.ts'
import type { Search } from './list.tsx'

type FiltersProps = { resource: Resource; search: Search; onSearch: (search: Search) => void }

export function Filters({ resource, search, onSearch }: FiltersProps) {
  const { texts } = usePerson()
  const { page: _page, ...kept } = search
  const change = (name: string, value: string): void => {
    const { [name]: _before, ...others } = kept
    onSearch(value === '' ? others : { ...others, [name]: value })
  }
  const orders = (resource.sorts ?? []).flatMap((field) => [
    { value: field, label: texts.fields[field] },
    { value: `-${field}`, label: filled(texts.list.descending, { field: texts.fields[field] }) },
  ])
  const filters: readonly Filter[] = [
    ...(resource.statuses ? [{ field: 'status' as const, values: resource.statuses }] : []),
    ...(resource.filters ?? []),
  ]
  if (!resource.searches && !resource.typed && filters.length === 0 && orders.length === 0) return null
  return (
    <Group align="flex-end" component="search">
      {resource.searches && (
        <Typed
          id="search"
          label={texts.list.search}
          type="search"
          value={String(search['search'] ?? '')}
          onChange={(text) => change('search', text)}
        />
      )}
      {resource.typed?.map(({ field, as }) => (
        <Typed
          key={field}
          id={`filter-${field}`}
          label={texts.fields[field]}
          type={as ?? 'text'}
          value={String(search[field] ?? '')}
          onChange={(text) => change(field, text)}
        />
      ))}
      {filters.map(({ field, values, isOne }) =>
        isOne ? (
          <Select
            key={field}
            label={texts.fields[field]}
            clearable
            w={180}
            data={values.map((value) => ({ value, label: nameOf(texts.values, value) }))}
            value={String(search[field] ?? '') || null}
            onChange={(chosen) => change(field, chosen ?? '')}
          />
        ) : (
          <MultiSelect
            key={field}
            label={texts.fields[field]}
            clearable
            miw={160}
            data={values.map((value) => ({
              value,
              label: nameOf(field === 'status' ? texts.statuses : texts.values, value),
            }))}
            value={String(search[field] ?? '')
              .split(',')
              .filter(Boolean)}
            onChange={(chosen) => change(field, chosen.join(','))}
          />
        ),
      )}
      {orders.length > 0 && search['search'] === undefined && (
        <Select
          label={texts.list.sort}
          placeholder={texts.list.newest}
          clearable
          data={orders}
          value={String(search['sort'] ?? '') || null}
          onChange={(sort) => change('sort', sort ?? '')}
        />
      )}
    </Group>
  )
}

type TypedProps = { id: string; label: string; type: string; value: string; onChange: (text: string) => void }

/** Counts when it is left or Enter is pressed, not with each letter. */
function Typed({ id, label, type, value, onChange }: TypedProps) {
  const [text, setText] = useState(value)
  const [before, setBefore] = useState(value)
  // The address is another one: a page back, or the filters taken away.
  if (value !== before) {
    setBefore(value)
    setText(value)
  }
  const submit = (): void => {
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        id={id}
        label={label}
        type={type}
        value={text}
        onBlur={submit}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </form>
  )
}
