// The PDF of an invoice that is overdue.
import { expect, it, vi } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import type { DocumentTemplate } from '../../../ports/documents.ts'

const templates: DocumentTemplate[] = []

const app = await appOfFile()
const acme = await app.world.organization()
const admin = await app.world.user({ roles: ['customer', 'administrator'] })
const dunning: Dunning = dunningAt(app, () => [acme.owner, acme.staff, admin])
const { documents } = app.service.ports
const render = documents.render.bind(documents)
vi.spyOn(documents, 'render').mockImplementation((template) => {
  if ('title' in template) templates.push(template)
  return render(template)
})

const latest = () => JSON.stringify(templates.at(-1)).replaceAll('\u00a0', ' ')

async function printed(id: number, language = 'en'): Promise<string> {
  const { status, data } = await acme.owner.get(`/invoices/${id}/pdf`, { 'accept-language': language })
  expect([status, data.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  return latest()
}
async function charge(fine_percent: string | null): Promise<void> {
  const { schedule } = (await admin.get('/admin/dunning/entity_br')).data
  const answer = await admin.put('/admin/dunning/entity_br', { schedule: { ...schedule, fine_percent } })
  expect(answer.status).toBe(200)
}

it('says so, and since when, while it is overdue, with the fine and the interest until today, in both languages', async () => {
  await charge('2.00')
  const { id } = await dunning.owes(acme, { due_date: '2027-03-05', issue_date: '2027-01-01' })
  expect(await printed(id)).not.toContain('OVERDUE')
  await dunning.jump((Date.parse('2027-03-09T15:00:00Z') - app.clock.now.getTime()) / 86_400_000)
  const words = await printed(id)
  for (const word of ['OVERDUE SINCE March 6, 2027', '"Overdue"', 'Fine and interest until Mar 09, 2027', 'R$2.00'])
    expect(words).toContain(word)
  const palavras = await printed(id, 'pt-BR')
  for (const word of ['VENCIDA DESDE 6 de março de 2027', '"Vencida"', 'Multa e juros até 09/03/2027'])
    expect(palavras).toContain(word)
  await charge(null)
  expect(await printed(id)).not.toContain('Fine and interest')
})

it('is the same by the link of its mails, and in a mail', async () => {
  await charge('2.00')
  const { id } = await dunning.owes(acme)
  await dunning.jump(15)
  const { url } = (await acme.owner.get(`/invoices/${id}/payment-options`)).data
  const token = new URL(url).pathname.replace('/invoices/', '')
  const own = [await printed(id, 'en'), await printed(id, 'pt-BR')]
  expect(own.join()).toMatch(/OVERDUE SINCE.*Fine and interest.*VENCIDA DESDE.*Multa e juros/)
  for (const [at, language] of ['en', 'pt-BR'].entries()) {
    const headers = { 'accept-language': language }
    expect((await app.world.anonymous.get(`/public/invoices/${token}/pdf`, headers)).status).toBe(200)
    expect(latest()).toBe(own[at])
  }
  templates.length = 0
  expect((await acme.staff.post(`/invoices/${id}/send`)).status).toBe(202)
  await app.service.worker.drain()
  expect(templates).toHaveLength(1)
  expect(own).toContain(latest())
})

it('says so no more when it is paid, void, given up or due later', async () => {
  for (const act of ['pay', 'void', 'mark-uncollectible']) {
    const { id } = await dunning.owes(acme)
    await dunning.jump(6)
    expect(await printed(id)).toContain('OVERDUE SINCE')
    await acme.staff.post(`/invoices/${id}/${act}`, {})
    expect(await printed(id)).not.toContain('OVERDUE SINCE')
  }
  const { id } = await dunning.owes(acme)
  await dunning.jump(6)
  await acme.staff.put(`/invoices/${id}/due-date`, { due_date: dunning.day(0), reason: 'Asked for it' })
  expect(await printed(id)).not.toContain('OVERDUE SINCE')
})
