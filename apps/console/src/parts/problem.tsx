// What went wrong, and what to do next.
import { Alert, Button, Group, Text } from '@mantine/core'
import { ApiError, AuthorizationError, ConnectionError, NotFoundError, TimeoutError } from '@titular/sdk'
import { lazy, Suspense, useEffect } from 'react'
import { noteFailure } from '../client.ts'
import { usePerson } from '../context.tsx'
import type { Texts } from '../texts/en.ts'
import { filled } from '../texts/texts.ts'

export const Entry = lazy(async () => ({ default: (await import('./entry.tsx')).Entry }))

/** Staff are asked why they enter the organization. */
export const isEntryNeeded = (error: unknown): boolean => error instanceof ApiError && error.reason === 'entry_needed'

export function sentenceOf(error: unknown, { problems }: Texts): string {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return problems.offline
  if (error instanceof NotFoundError) return problems.notFound
  // Whether there is such an organization is nobody’s to learn.
  if (error instanceof AuthorizationError && error.reason === 'not_a_member') return problems.notFound
  if (error instanceof AuthorizationError) return filled(problems.forbidden, { who: error.message })
  if (error instanceof ApiError) return error.status >= 500 ? problems.busy : error.message
  return problems.wrong
}

export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const { texts } = usePerson()
  useEffect(() => noteFailure(error), [error])
  if (isEntryNeeded(error))
    return (
      <Suspense>
        <Entry {...(retry && { onDone: retry })} />
      </Suspense>
    )
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : null
  return (
    <Alert color="red" role="alert">
      <Group justify="space-between">
        <Text>{sentenceOf(error, texts)}</Text>
        {retry && (
          <Button variant="default" onClick={retry}>
            {texts.act.tryAgain}
          </Button>
        )}
      </Group>
      {requestId && <Text size="xs">{filled(texts.problems.request, { id: requestId })}</Text>}
    </Alert>
  )
}
