// A form that changes what is there: it sends the ETag of what it began with, and shows what somebody else has changed since.
import { Alert } from '@mantine/core'
import { PreconditionError } from '@titular/sdk'
import { useState } from 'react'
import { usePerson } from '../context.tsx'
import { Changes } from './changes.tsx'

type Answer<Data> = { data: Data; etag: string | null }

/** `begin` with the first change, `end` when it is saved or given up. */
export function useBegun<Data>(read: Answer<Data>, error: unknown, names?: Readonly<Record<string, string>>) {
  const { texts } = usePerson()
  const [begun, setBegun] = useState<Answer<Data> | null>(null)
  const isChanged = error instanceof PreconditionError
  // Whoever has seen what is another now, and saves theirs all the same, replaces that.
  const { etag } = isChanged ? read : (begun ?? read)
  return {
    begin: () => setBegun((one) => one ?? read),
    end: () => setBegun(null),
    options: etag === null ? {} : { ifMatch: etag },
    conflict: isChanged ? (
      <Alert color="red" role="alert">
        {texts.problems.changed}
        <Changes before={begun?.data} after={read.data} {...(names && { names })} />
      </Alert>
    ) : null,
  }
}
