// Numbers have no gaps: many at once, over organizations and legal entities, with some rollbacks.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'

const app = await appOfFile()

it('40 finalized at once in five organizations, some rolled back: no gap, no number twice, a series per legal entity', async () => {
  const organizations = await Promise.all(Array.from({ length: 5 }, () => app.world.organization()))
  const drafts = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { staff } = organizations[index % 5] ?? (await app.world.organization())
      const company = index % 2 === 0 ? 'entity_br' : 'entity_global'
      const { data } = await staff.post('/invoices', { currency: 'BRL', company, total: 100 + index })
      return { id: Number(data.id), staff, isRolledBack: index >= 40 }
    }),
  )
  const doomed = drafts.filter(({ isRolledBack }) => isRolledBack).map(({ id }) => id)
  // Fails after the number was allocated.
  await app.database.query(
    `alter table invoices add constraint doomed check (status <> 'open' or id not in (${doomed.join(', ')}))`,
  )
  const answers = await Promise.all(drafts.map(({ id, staff }) => staff.post(`/invoices/${id}/finalize`)))
  await app.database.query('alter table invoices drop constraint doomed')
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(40)
  expect(answers.filter(({ status }) => status === 500)).toHaveLength(10)
  for (const [company, series] of [
    ['entity_br', 'BR'],
    ['entity_global', 'GL'],
  ]) {
    const rows = await app.database.query<{ number: string }>(
      `select number from invoices where company = $1 and status = 'open' order by number`,
      [company],
    )
    expect(rows.map(({ number }) => number)).toEqual(
      Array.from({ length: 20 }, (_, index) => `${series}-${String(index + 1).padStart(6, '0')}`),
    )
  }
  const again = drafts.find(({ isRolledBack }) => isRolledBack)
  expect((await again?.staff.post(`/invoices/${again.id}/finalize`))?.data.number).toMatch(/-000021$/)
})

it('one finalized twenty times at once gets one number', async () => {
  const { staff } = await app.world.organization()
  const { data } = await staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 1 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => staff.post(`/invoices/${data.id}/finalize`)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
})

it('cents and decimals agree in currencies with any number of digits', async () => {
  const { staff } = await app.world.organization()
  for (const currency of ['JPY', 'BRL', 'KWD']) {
    const edges = [0, 1, 9, 10, 99, 100, 101, 999, 1000, 1001, 2 ** 31, 2 ** 46 + 1, 999_999_999_999_999]
    const some = Array.from({ length: 12 }, (_, index) => (7919 ** ((index % 4) + 1) * (index + 3)) % 999_999_999_999)
    for (const cents of [...edges, ...some]) {
      const asCents = (await staff.post('/invoices', { currency, company: 'entity_global', total: cents })).data
      expect(asCents.total_cents).toBe(cents)
      expect(asCents.total).toBe(formatMoney(BigInt(cents), currency))
      expect(parseMoney(asCents.total, currency)).toBe(BigInt(cents))
      const asText = { currency, company: 'entity_global', total: asCents.total }
      expect((await staff.post('/invoices', asText)).data.total_cents).toBe(cents)
    }
  }
})
