// A file of a record. Asked for with the headers of the organization, so it is no plain link.
import { Button } from '@mantine/core'
import type { FileOperation, Titular } from '@titular/sdk'
import { useState } from 'react'
import { Problem } from './problem.tsx'

type PaperProps = { label: string; client: Titular; operation: FileOperation; at: object; size?: 'xs' | 'sm' }

export function Paper({ label, client, operation, at, size = 'sm' }: PaperProps) {
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  async function save(): Promise<void> {
    setRunning(true)
    setError(null)
    try {
      const file = await client.download(operation, at)
      const address = URL.createObjectURL(await new Response(file.stream).blob())
      Object.assign(document.createElement('a'), { href: address, download: file.fileName ?? '' }).click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    } catch (failure) {
      setError(failure)
    }
    setRunning(false)
  }
  return (
    <>
      <Button variant="default" size={size} loading={isRunning} onClick={() => void save()}>
        {label}
      </Button>
      {error !== null && <Problem error={error} />}
    </>
  )
}
