// The fields of an act, each with its error beside it.
import { FileInput, MultiSelect, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { AnyOperation, Titular } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { Password } from './password.tsx'
import { usePerson } from '../context.tsx'
import {
  type Choices,
  type Field,
  type FieldName,
  type Item,
  itemsOf,
  textOf,
  type Viewer,
} from '../resources/resource.ts'
import { type Language, nameOf } from '../texts/texts.ts'
import { decimalOf, shownDecimal } from './decimals.ts'

/** What was typed: texts, several choices, a switch, or a file. */
export type Values = Readonly<Record<string, string | readonly string[] | boolean | File | null>>

type FormOf = { record: Item; viewer: Viewer; isStaff: boolean }

/** The fields that the person is asked for, each with the values that are offered. */
export const formFor = (form: readonly Field[], { record, viewer, isStaff }: FormOf): readonly Field[] =>
  form
    .filter(({ isStaffs }) => isStaff || !isStaffs)
    .map((field) => {
      const { chooses, offers } = field
      if (!offers || !chooses || 'list' in chooses) return field
      return {
        ...field,
        chooses: { ...chooses, values: chooses.values.filter((value) => offers(value, record, viewer)) },
      }
    })

export function firstValues(form: readonly Field[], record: Item, language: Language): Values {
  return Object.fromEntries(
    form.map(({ field, first, several, as }) => {
      const value = first?.(record)
      if (several) return [field, Array.isArray(value) ? value.map(textOf) : []]
      if (as === 'yesNo') return [field, value === true]
      if (as === 'lines') return [field, Array.isArray(value) ? value.map(textOf).join('\n') : '']
      if (as === 'file') return [field, null]
      if (as === 'time') return [field, localOf(textOf(value))]
      if (as === 'money') return [field, shownDecimal(textOf(value), language)]
      return [field, textOf(value)]
    }),
  )
}

/** As a field of a day and a time writes it, in the time of whoever looks. */
function localOf(time: string): string {
  if (time === '') return ''
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const isEmpty = (value: Values[string] | undefined): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

/** The required fields that are empty, where the address of the request needs one of them: it cannot be sent then. */
export function missingFor({ path }: AnyOperation, form: readonly Field[], values: Values): readonly string[] {
  const empty = form.filter(({ field, isRequired }) => isRequired && isEmpty(values[field])).map(({ field }) => field)
  return empty.some((field) => path.includes(`{${field}}`)) ? empty : []
}

/** What was left empty is not given, unless that takes a value away. */
export const bodyOf = (form: readonly Field[], values: Values, language: Language): Item =>
  Object.fromEntries(
    form.flatMap((field): [string, unknown][] => {
      const value = sentOf(field, values[field.field] ?? null, language)
      return value === undefined ? [] : [[field.field, value]]
    }),
  )

function sentOf(
  { as, several, chooses, clears, isLeftOut }: Field,
  value: Values[string],
  language: Language,
): unknown {
  if (value instanceof File || typeof value === 'boolean') return value
  const isOfNumbers = as === 'number' || (chooses !== undefined && 'list' in chooses && chooses.idOf === undefined)
  const one = (text: string): unknown =>
    isOfNumbers && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text
  if (Array.isArray(value))
    return value.length === 0 && (!several || isLeftOut) ? undefined : value.map((each) => one(textOf(each)))
  const text = textOf(value).trim()
  if (text === '') return clears ? null : undefined
  if (as === 'lines')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (as === 'time') return new Date(text).toISOString()
  if (as === 'money') return decimalOf(text, language)
  return as === 'password' ? textOf(value) : one(text)
}

export type FormProps = {
  form: readonly Field[]
  client: Titular
  values: Values
  errors: Readonly<Record<string, string>>
  onChange: (values: Values) => void
}

export function Form({ form, client, values, errors, onChange }: FormProps) {
  return form.map((field) => (
    <Entry
      key={field.field}
      field={field}
      client={client}
      value={values[field.field] ?? ''}
      error={errors[field.field]}
      onChange={(value) => onChange({ ...values, [field.field]: value })}
    />
  ))
}

type EntryProps = {
  field: Field
  client: Titular
  value: NonNullable<Values[string]>
  error: string | undefined
  onChange: (value: Values[string]) => void
}

const TYPES: Readonly<Record<string, string>> = { date: 'date', time: 'datetime-local' }

function Entry({ field: { field, as, isRequired, chooses, several }, client, value, error, onChange }: EntryProps) {
  const { texts } = usePerson()
  const common = { label: texts.fields[field], error, required: isRequired === true }
  if (chooses)
    return <Choice {...{ ...common, field, chooses, client, value, onChange }} isSeveral={several === true} />
  if (as === 'yesNo')
    return (
      <Switch
        label={common.label}
        error={error}
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  if (as === 'file')
    return <FileInput {...common} clearable value={value instanceof File ? value : null} onChange={onChange} />
  const text = textOf(value)
  const onText = (event: { currentTarget: { value: string } }): void => onChange(event.currentTarget.value)
  if (as === 'password') return <Password {...common} autoComplete="new-password" value={text} onChange={onText} />
  if (as === 'long' || as === 'lines')
    return <Textarea {...common} autosize minRows={3} maxRows={16} value={text} onChange={onText} />
  return (
    <TextInput
      {...common}
      type={TYPES[as ?? ''] ?? 'text'}
      inputMode={as === 'number' ? 'numeric' : as === 'money' ? 'decimal' : undefined}
      value={text}
      onChange={onText}
    />
  )
}

type ChoiceProps = Omit<EntryProps, 'field'> & {
  field: FieldName
  label: string
  required: boolean
  chooses: Choices
  isSeveral: boolean
}

function Choice({ field, chooses, client, value, onChange, isSeveral, ...common }: ChoiceProps) {
  const { texts, language, isStaff } = usePerson()
  const { statuses, values } = texts
  const names = field === 'status' ? { ...values, ...statuses } : { ...statuses, ...values }
  const { data: all = [] } = useQuery({
    queryKey: ['choices', field, 'list' in chooses ? [chooses.list.id, chooses.parameters ?? {}] : chooses.values],
    queryFn: async () =>
      'values' in chooses
        ? chooses.values.map((one) => ({
            value: one,
            label: chooses.nameOf?.(one, { texts, language }) ?? nameOf(names, one),
          }))
        : itemsOf(
            await client.call(chooses.list, {
              ...(chooses.list.answer !== 'json' && { per_page: 100 }),
              ...chooses.parameters,
            }),
          ).map((one) => ({
            value: textOf(chooses.idOf ? chooses.idOf(one) : one['id']),
            label: chooses.labelOf(one),
          })),
  })
  // What the record has already stays, whoever gave it.
  const hidden = !isStaff && 'values' in chooses ? (chooses.ofStaff ?? []) : []
  const data = all.filter((one) => one.value === value || !hidden.includes(one.value))
  if (isSeveral)
    return (
      <MultiSelect
        {...common}
        searchable
        data={data}
        value={Array.isArray(value) ? value.map(textOf) : []}
        onChange={onChange}
      />
    )
  const text = textOf(value)
  return (
    <Select
      {...common}
      searchable
      clearable={!common.required}
      data={data}
      value={text === '' ? null : text}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  )
}
