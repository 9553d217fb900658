// Lists that show each person of staff what they may read: an export of them has the same.
import { expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const boss = acme.staff

async function linesOf(by: Speaker, source: string, filters: object = {}): Promise<unknown[]> {
  const { status, data, raw } = await by.post('/admin/exports', { source, filters, format: 'ndjson' })
  expect(status, raw.body).toBe(202)
  await app.service.worker.drain()
  const { url } = (await by.get(`/admin/exports/${data.id}`)).data
  const { body } = await app.service.app.inject({ method: 'GET', url: new URL(url).pathname })
  return body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

it('tickets name their invoice to those only who may read invoices, who find them by it', async () => {
  const body = { currency: 'BRL', company: 'entity_br', total: 100, status: 'open' }
  const { id: invoice_id } = (await boss.post('/invoices', body)).data
  await boss.post('/tickets', { title: 'What is billed here?', invoice_id })
  for (const [by, about] of [
    [boss, invoice_id],
    [await app.world.user({ roles: ['customer', 'support'] }), null],
  ] as const) {
    const { data: listed } = await by.get('/admin/tickets')
    expect(listed).toMatchObject([{ invoice_id: about }])
    expect(await linesOf(by, 'tickets')).toEqual(listed)
    const { data: found } = await by.get(`/admin/tickets?invoice_id=${invoice_id}`)
    expect(found).toHaveLength(about === null ? 0 : 1)
    expect(await linesOf(by, 'tickets', { invoice_id })).toEqual(found)
  }
})

it('mails have the subjects of what the person may read', async () => {
  await app.service.worker.drain()
  const { data: listed } = await boss.get('/admin/mails?per_page=100')
  expect(listed.filter(({ subject }: { subject: string | null }) => subject !== null)).not.toEqual([])
  expect(await linesOf(boss, 'mails')).toEqual(listed)
})
