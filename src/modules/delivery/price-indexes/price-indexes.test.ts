// The rates of price indexes: set one by one and together, again, at once, wrongly; removed.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'
import { IPCA_2023, ratesFrom } from '#test/scenes/price-indexes.ts'

const app = await appOfFile()
const staff = await app.world.user({ roles: ['customer', 'administrator'] })
const customer = await app.world.user()

const list = async (index: string): Promise<Answer['data'][]> =>
  (await staff.get(`/admin/price-indexes?price_index=${index}&per_page=100`)).data
const logged = async (): Promise<Answer['data'][]> =>
  (await staff.get('/admin/audit-log?log=service&resource=price_index&per_page=100')).data
const many = (index: string, rates: unknown, by = staff) => by.patch(`/admin/price-indexes/${index}/rates`, { rates })
const one = (index: string, month: string, rate: unknown, by = staff) =>
  by.put(`/admin/price-indexes/${index}/rates/${month}`, { rate })

describe('PATCH /admin/price-indexes/{price_index}/rates', () => {
  it('200 with what became of each month; sent again it changes nothing', async () => {
    const rates = ratesFrom('2023-01', IPCA_2023)
    const months = rates.map(({ month }) => month)
    const first = await many('IPCA', rates)
    expect(first.data).toEqual({ price_index: 'IPCA', created: months, updated: [], unchanged: [] })
    const entries = (await logged()).length
    expect((await many('IPCA', rates.toReversed())).data).toMatchObject({ created: [], updated: [] })
    expect(await logged()).toHaveLength(entries)
    const found = await list('IPCA')
    expect(found.map(({ month, rate }) => ({ month, rate }))).toEqual(rates.toReversed())
  })
  it('200 for a part of them: others stay, and the log has before and after', async () => {
    await many('PART', ratesFrom('2024-01', ['0.10', '0.20', '0.30']))
    const answer = await many('PART', [
      { month: '2024-04', rate: '-0.4' },
      { month: '2024-02', rate: '0.25' },
      { month: '2024-03', rate: '0.3000' },
    ])
    expect(answer.data).toMatchObject({ created: ['2024-04'], updated: ['2024-02'], unchanged: ['2024-03'] })
    expect((await list('PART')).map(({ rate }) => rate)).toEqual(['-0.40', '0.30', '0.25', '0.10'])
    const [entry] = await logged()
    expect(entry.changes.after).toEqual({
      before: { price_index: 'PART', rates: [{ month: '2024-02', rate: '0.20' }] },
      after: {
        price_index: 'PART',
        rates: [
          { month: '2024-04', rate: '-0.40' },
          { month: '2024-02', rate: '0.25' },
        ],
      },
    })
  })
  it('200 for several at once, as if one after the other', async () => {
    const rates = ratesFrom('2020-01', IPCA_2023)
    const other = rates.map(({ month }) => ({ month, rate: '1.00' }))
    const answers = await Promise.all([
      many('RACE', rates),
      many('RACE', other.toReversed()),
      many('RACE', rates.toReversed()),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.flatMap(({ data }) => data.created)).toHaveLength(12)
    const stored = (await list('RACE')).map(({ rate }) => rate)
    expect([rates.map(({ rate }) => rate).toReversed(), other.map(({ rate }) => rate)]).toContainEqual(stored)
    const [last] = (await logged()).filter(({ changes }) => changes.after.after.price_index === 'RACE')
    expect(last.changes.after.after.rates).toHaveLength(12)
  })
  it.each([
    [
      'a month twice',
      [
        { month: '2024-01', rate: '1' },
        { month: '2024-01', rate: '1' },
      ],
      'rates.1.month',
    ],
    ['no month', [], 'rates'],
    ['a month that does not exist', [{ month: '2024-13', rate: '1' }], 'rates.0.month'],
    ['a comma', [{ month: '2024-01', rate: '0,53' }], 'rates.0.rate'],
    ['five digits', [{ month: '2024-01', rate: '0.12345' }], 'rates.0.rate'],
    ['a number', [{ month: '2024-01', rate: 0.5 }], 'rates.0.rate'],
    ['more than the whole', [{ month: '2024-01', rate: '-100' }], 'rates.0.rate'],
  ])('422 for %s, with the field, and nothing is set', async (_, rates, field) => {
    const answer = await many('WRONG', [{ month: '2023-12', rate: '0.5' }, ...rates].slice(rates.length === 0 ? 1 : 0))
    const moved = field.replace(/\d/, (nth) => String(Number(nth) + 1))
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, [moved]])
    expect(await list('WRONG')).toEqual([])
  })
  it('403 for customers, 404 for what cannot be the name of an index', async () => {
    expect((await many('IPCA', [{ month: '2024-01', rate: '1' }], customer)).status).toBe(403)
    expect((await many('ipca', [{ month: '2024-01', rate: '1' }])).status).toBe(404)
  })
})

describe('PUT /admin/price-indexes/{price_index}/rates/{month}', () => {
  it('200 with the rate, created, replaced and left', async () => {
    expect((await one('IGP-M', '2024-02', '-0.52')).data).toMatchObject({
      price_index: 'IGP-M',
      month: '2024-02',
      rate: '-0.52',
    })
    expect((await one('IGP-M', '2024-02', '-0.5299')).data.rate).toBe('-0.5299')
    expect((await one('IGP-M', '2024-02', '-0.5299')).data.rate).toBe('-0.5299')
    expect(await list('IGP-M')).toHaveLength(1)
  })
  it('200 beside a removal, whichever comes first', async () => {
    for (let round = 0; round < 5; round++) {
      const path = '/admin/price-indexes/EDGE/rates/2024-01'
      const [set, gone] = await Promise.all([one('EDGE', '2024-01', '0.10'), staff.delete(path)])
      expect([set.status, [200, 404].includes(gone.status)]).toEqual([200, true])
    }
  })
  it('422 for a wrong rate, 404 for a wrong month, 403 for customers', async () => {
    expect((await one('IGP-M', '2024-03', '1%')).errors?.fields).toHaveProperty('rate')
    expect((await one('IGP-M', '2024-00', '1')).status).toBe(404)
    expect((await one('IGP-M', '2024-03', '1', customer)).status).toBe(403)
  })
})

describe('GET /admin/price-indexes', () => {
  it('200 with the latest month first, of one index or of all', async () => {
    await many('FIRST', ratesFrom('2021-11', ['1', '2', '3']))
    expect((await list('FIRST')).map(({ month }) => month)).toEqual(['2022-01', '2021-12', '2021-11'])
    const all = (await staff.get('/admin/price-indexes?per_page=100')).data.map(({ month }: { month: string }) => month)
    expect(all).toEqual(all.toSorted().toReversed())
    expect((await customer.get('/admin/price-indexes')).status).toBe(403)
  })
})

describe('DELETE /admin/price-indexes/{price_index}/rates/{month}', () => {
  it('200 with an entry in the log, then 404', async () => {
    await one('GONE', '2024-01', '0.10')
    const path = '/admin/price-indexes/GONE/rates/2024-01'
    expect((await customer.delete(path)).status).toBe(403)
    expect((await staff.delete(path)).status).toBe(200)
    expect(await list('GONE')).toEqual([])
    const [entry] = await logged()
    expect(entry.changes.after.before).toEqual({ price_index: 'GONE', rates: [{ month: '2024-01', rate: '0.10' }] })
    expect((await staff.delete(path)).status).toBe(404)
  })
})
