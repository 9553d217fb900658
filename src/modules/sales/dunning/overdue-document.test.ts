// The PDF of an invoice that is overdue.
import { expect, it, vi } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import { advance, clocked } from '#test/scenes/test-clock.ts'
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

async function printed(id: number, language = 'en', reader: Speaker = acme.owner): Promise<string> {
  const { status, data } = await reader.get(`/invoices/${id}/pdf`, { 'accept-language': language })
  expect([status, data.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  return latest()
}
async function charge(fine_percent: string | null): Promise<void> {
  const { schedule } = (await admin.get('/admin/dunning/entity_br')).data
  const answer = await admin.put('/admin/dunning/entity_br', { schedule: { ...schedule, fine_percent } })
  expect(answer.status).toBe(200)
}

/** The document in each language, which is the same for members and for whoever has the link of its mails. */
async function bothWays({ owner }: Organization, id: number): Promise<string[]> {
  const { url } = (await owner.get(`/invoices/${id}/payment-options`)).data
  const path = `/public/invoices/${new URL(url).pathname.replace('/invoices/', '')}/pdf`
  const found: string[] = []
  for (const language of ['en', 'pt-BR']) {
    found.push(await printed(id, language, owner))
    expect((await app.world.anonymous.get(path, { 'accept-language': language })).status).toBe(200)
    expect(latest()).toBe(found.at(-1))
  }
  return found
}

it('is the same by the link where the organization has a time of its own', async () => {
  const clock = await clocked(app, '2027-01-31T12:00:00Z')
  const link = 'https://pay.example/1'
  const { id } = await dunning.owes(clock, { due_date: '2027-02-10', link })
  for (const word of await bothWays(clock, id)) expect(word).not.toMatch(/OVERDUE|VENCIDA/)
  await advance(app, clock, '2027-02-20T12:00:00Z')
  expect((await bothWays(clock, id)).join()).toMatch(/OVERDUE SINCE February 11.*VENCIDA DESDE 11 de fevereiro/)
})

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
  const own = await bothWays(acme, id)
  expect(own.join()).toMatch(/OVERDUE SINCE.*Fine and interest.*VENCIDA DESDE.*Multa e juros/)
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
