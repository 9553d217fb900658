// All of one row, asked for when somebody wants to see it.
import { Button, Skeleton } from '@mantine/core'
import type { AnyOperation, Titular } from '@titular/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from './dialog.tsx'
import { usePerson } from '../context.tsx'
import { type Column, isItem, type Item } from '../resources/resource.ts'
import { Problem } from './problem.tsx'
import { Facts } from './record.tsx'

type DetailProps = { get: AnyOperation; at: Item; columns: readonly Column[]; client: Titular }

export function Detail({ get, at, columns, client }: DetailProps) {
  const { texts } = usePerson()
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['detail', get.id, at],
    enabled: isOpen,
    queryFn: async (): Promise<Item> => {
      const answer: unknown = await client.call(get, at)
      return isItem(answer) ? answer : {}
    },
  })
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {texts.record.details}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={texts.record.details} size="xl">
        {error && <Problem error={error} />}
        {data ? <Facts columns={columns} record={data} /> : !error && <Skeleton height={200} />}
      </Dialog>
    </>
  )
}
