// The pages of a list, by their numbers.
import { Pagination } from '@mantine/core'
import { usePerson } from '../context.tsx'
import { filled } from '../texts/texts.ts'

type PagesProps = { pages: number; page: number; onPage: (page: number) => void }

export function Pages({ pages, page, onPage }: PagesProps) {
  const { texts } = usePerson()
  return (
    <Pagination
      total={pages}
      value={page}
      onChange={onPage}
      getControlProps={(control) => ({
        'aria-label': control === 'previous' ? texts.list.previous : texts.list.next,
      })}
      getItemProps={(one) => ({ 'aria-label': filled(texts.list.page, { page: String(one) }) })}
    />
  )
}
