// The credit balance of an organization that is deleted: staff learn of it before and afterwards.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile()

const LEFT = /the organization is deleted with a credit balance of 100.00 BRL at entity_br, 5.00 USD at entity_global:/

it('the dry run says what is left, to staff and the owner; the deletion leaves a dead letter, which a restoration settles', async () => {
  const { id, staff, owner } = await app.world.organization()
  const reports = async () =>
    (await staff.get('/admin/jobs')).data.filter(({ kind }: Answer['data']) => kind === 'credit-balances/report-left')
  const add = (company: string, currency: string, amount: string) =>
    staff.post('/credit-balances', { company, currency, amount, kind: 'added', reason: 'Goodwill' })
  await add('entity_br', 'BRL', '100.00')
  await add('entity_global', 'USD', '5.00')
  const preview = async (who: typeof staff) => (await who.delete(`/organizations/${id}?dry_run=true`)).data
  expect(await preview(staff)).toMatchObject({ problems: [expect.stringMatching(LEFT)], is_complete: false })
  expect(await preview(owner)).toMatchObject({ problems: [expect.stringMatching(LEFT)], is_complete: false })
  expect(await reports()).toEqual([])
  expect((await staff.delete(`/organizations/${id}`)).status).toBe(200)
  await app.service.worker.drain()
  const [report, ...others] = await reports()
  expect([report.last_error, others]).toEqual([expect.stringMatching(LEFT), []])
  expect((await staff.post(`/admin/organizations/${id}/restore`)).status).toBe(200)
  await staff.post(`/admin/jobs/${report.id}/retry`)
  await app.service.worker.drain()
  expect(await reports()).toEqual([])
})
it('nothing is said where nothing is left', async () => {
  const { id, staff } = await app.world.organization()
  const entry = { company: 'entity_br', currency: 'BRL', amount: '7.00', reason: 'Goodwill' }
  await staff.post('/credit-balances', { ...entry, kind: 'added' })
  await staff.post('/credit-balances', { ...entry, kind: 'withdrawn' })
  const { data } = await staff.delete(`/organizations/${id}?dry_run=true`)
  expect(data).toMatchObject({ problems: [], is_complete: true })
})
