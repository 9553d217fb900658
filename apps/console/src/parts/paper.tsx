// A file of a record. Asked for with the headers of the organization, so it is no plain link.
import { Button } from '@mantine/core'
import type { FileOperation, Titular } from '@titular/sdk'
import { useState } from 'react'
import { Problem } from './problem.tsx'
import { save } from './save.ts'

type PaperProps = { label: string; client: Titular; operation: FileOperation; at: object; size?: 'xs' | 'sm' }

export function Paper({ label, client, operation, at, size = 'sm' }: PaperProps) {
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  async function fetchIt(): Promise<void> {
    setRunning(true)
    setError(null)
    try {
      const file = await client.download(operation, at)
      save(await file.blob(), file.fileName ?? '')
    } catch (failure) {
      setError(failure)
    }
    setRunning(false)
  }
  return (
    <>
      <Button variant="default" size={size} loading={isRunning} onClick={() => void fetchIt()}>
        {label}
      </Button>
      {error !== null && <Problem error={error} />}
    </>
  )
}
