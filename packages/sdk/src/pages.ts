// The records of a list one by one, or page by page. By cursor where the list has one: what comes or goes meanwhile
// neither repeats nor hides a record.
import type { Answer } from './caller.ts'
import type { AnyOperation } from './operation.ts'
import type { Parameters } from './request.ts'
import type { PageMeta } from './generated/types.ts'

export type ListPage<Item> = { items: readonly Item[]; meta: PageMeta | null }
export type Pages<Item> = AsyncIterable<Item> & { byPage: () => AsyncIterable<ListPage<Item>> }

type Ask = (parameters: Parameters) => Promise<Answer<unknown>>

export function pagesOf<Item>(operation: AnyOperation, parameters: Parameters, ask: Ask): Pages<Item> {
  // A search has pages by number alone, and who asks for a page wants to begin there.
  const isByNumber = operation.answer !== 'cursor' || 'page' in parameters || parameters['search'] !== undefined
  const byPage = () => (isByNumber ? byNumber<Item>(parameters, ask) : byCursor<Item>(parameters, ask))
  return {
    byPage,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of byPage()) yield* items
    },
  }
}

async function* byCursor<Item>(parameters: Parameters, ask: Ask): AsyncGenerator<ListPage<Item>> {
  let cursor: unknown = parameters['cursor'] ?? 'first'
  while (typeof cursor === 'string') {
    const page = pageOf<Item>(await ask({ ...parameters, cursor }))
    yield page
    cursor = page.meta?.next_cursor
  }
}

async function* byNumber<Item>(parameters: Parameters, ask: Ask): AsyncGenerator<ListPage<Item>> {
  for (let number = Number(parameters['page'] ?? 1); ; number++) {
    const page = pageOf<Item>(await ask({ ...parameters, page: number }))
    yield page
    if (page.items.length === 0 || number >= (page.meta?.pages ?? 0)) return
  }
}

const pageOf = <Item>({ data, meta }: Answer<unknown>): ListPage<Item> => ({
  items: Array.isArray(data) ? data : [],
  meta,
})
