// One act for several records.
import { Alert, Text } from '@mantine/core'
import type { ValidationError } from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import type { Action, Field, Item, Resource } from '../resources/resource.ts'
import { useConfirm } from '../texts/confirm.ts'
import { useFieldProblems } from './field-problems.ts'
import { bodyOf, firstValues, Form, formFor } from './form.tsx'
import { useReason } from './reason.tsx'
import { isChange, parametersOf } from './request.ts'
import { type OneOfSeveral, useSeveral } from './several.ts'
import { SeveralDialog } from './several-dialog.tsx'

type BulkProps = {
  action: Action
  resource: Resource
  here: Here
  records: readonly Item[]
  /** Of the path, beside the record's. */
  at: Item
  isOffered: (record: Item) => boolean
  onClose: () => void
}

export function Bulk({ action, resource, here, records, at, isOffered, onClose }: BulkProps) {
  const { texts, user, may, isStaff, language } = usePerson()
  const confirm = useConfirm()
  const queries = useQueryClient()
  const { operation } = action
  // What is left empty stays as it is in each record.
  const viewer = { id: user.id, may }
  const form = formFor(action.form ?? [], { record: {}, viewer, isStaff }).map((field): Field => ({
    ...field,
    clears: undefined,
  }))
  const [values, setValues] = useState(() => firstValues(form, {}, language))
  const [error, setError] = useState<ValidationError | null>(null)
  const reason = useReason(error)

  async function send({ record, key, place }: OneOfSeveral): Promise<void> {
    const one = { ...at, [resource.keyName ?? 'id']: key }
    const of = { action, record, place, at: one, viewer }
    const get = resource.organization?.get
    const etag = get && isChange(operation) ? (await place.client.answer(get, one)).etag : null
    await place.client.call(operation, parametersOf(bodyOf(form, values, language), of), {
      ...reason.options,
      ...(etag !== null && { ifMatch: etag }),
    })
  }
  const isOfOrganization = operation.organization === true
  const name = texts.actions[action.name]
  const several = useSeveral({ name, resource, here, records, isOffered, isOfOrganization })
  async function start(): Promise<void> {
    setError(null)
    const wrong = await several.run(send)
    setError(wrong)
    if (!wrong) await queries.invalidateQueries()
  }

  const { beside, others } = useFieldProblems(error, form)
  return (
    <SeveralDialog several={several} isDangerous={action.isDangerous === true} onStart={start} onClose={onClose}>
      <Text>{confirm[action.name]}</Text>
      <Form form={form} client={here.client} values={values} errors={beside} onChange={setValues} />
      {reason.field}
      {others.length > 0 && (
        <Alert color="red" role="alert">
          {others.map((problem) => (
            <Text key={problem} size="sm">
              {problem}
            </Text>
          ))}
        </Alert>
      )}
    </SeveralDialog>
  )
}
