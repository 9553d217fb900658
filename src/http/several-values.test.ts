// A filter by a field with fixed values takes several of them.
import { describe, expect, it } from 'vitest'
import { routes } from '../modules.ts'
import { filtersOf } from '#test/sweeps/list-filters.ts'
import { appOfFile } from '#test/harness/app.ts'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'

const app = await appOfFile()
const org = await app.world.organization()

/** Of `/search` and the queue, which have a page for each kind; a release has files for one platform, or for any. */
const ONE_ONLY = ['kind', 'platform', 'sort', 'format']

describe('several values of a filter', () => {
  it('find the records with any of them, counted, by page and by cursor', async () => {
    const { id: draft } = await draftQuote(org)
    const [sent, accepted] = [await sentQuote(org), await sentQuote(org)]
    await org.owner.post(`/quotes/${accepted}/accept`, {})
    const idsOf = async (query: string) => {
      const { data, meta } = await org.staff.get(`/quotes?${query}`)
      return { ids: data.map(({ id }: { id: number }) => id), total: meta?.total }
    }
    expect(await idsOf('status=draft,sent')).toEqual({ ids: [sent, draft], total: 2 })
    expect(await idsOf('status=draft&status=sent')).toEqual({ ids: [sent, draft], total: 2 })
    expect(await idsOf('status=sent')).toEqual({ ids: [sent], total: 1 })
    expect(await idsOf('status=sent,sent')).toEqual({ ids: [sent], total: 1 })
    expect((await idsOf('status=draft,sent&cursor=first&per_page=1')).ids).toEqual([sent])
    expect((await idsOf('status=draft,sent&sort=created_at')).ids).toEqual([draft, sent])
  })

  it('422 names the parameter when one of them is none of its values, or there is none', async () => {
    for (const status of ['sent,lost', 'sent,', '', 'draft,sent;delete'])
      expect((await org.staff.get(`/quotes?status=${encodeURIComponent(status)}`)).errors?.fields).toEqual({
        status: expect.stringContaining('must be one of draft, sent'),
      })
    expect((await org.staff.get(`/quotes?status=${Array(21).fill('sent').join(',')}`)).errors?.fields).toEqual({
      status: 'must have at most 20 items',
    })
  })

  it('are taken by each list that is filtered by a field with three values or more', () => {
    const single = routes.flatMap((route) =>
      route.page === undefined
        ? []
        : filtersOf(route)
            .filter((one) => (one.enum?.length ?? 0) > 2 && !one.takesSeveral && !ONE_ONLY.includes(one.name))
            .map(({ name }) => `${route.path} ${name}`),
    )
    expect(single).toEqual([])
  })
})
