// Where the vendor wants to know why, it is asked for in place, once the service has said so.
import { TextInput } from '@mantine/core'
import { ValidationError } from '@titular/sdk'
import { useState } from 'react'
import { usePerson } from '../context.tsx'

/** The field that is named when an act needs a reason. */
export const REASON = 'X-Reason'

/** `options` are of the call; `field` is null until a reason is asked for. */
export function useReason(error: unknown) {
  const { texts } = usePerson()
  const [reason, setReason] = useState('')
  const isMissing = error instanceof ValidationError && REASON in error.fields
  const field =
    isMissing || reason !== '' ? (
      <TextInput
        label={texts.problems.reason}
        required
        error={isMissing ? texts.problems.why : undefined}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    ) : null
  return { options: reason.trim() === '' ? {} : { reason: reason.trim() }, field }
}
