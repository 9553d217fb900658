// The papers of a payment that was recorded on the wrong invoice: receipts, the archived invoice, mails.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import type { Answer } from '#test/harness/world.ts'
import { buyerOf } from '#test/scenes/commerce.ts'

const app = await appOfFile({ environment: { ENTITY_BR_PAYMENTS: 'offline' } })
const acme = await app.world.organization({ name: 'Zoë “Z” 🙂' })
const buyer = await buyerOf(acme)
const drain = () => app.service.worker.drain()
const invoiceOf = async (id: number) => (await buyer.get(`/invoices/${id}`)).data

async function written(): Promise<number> {
  const body = { company: 'entity_br', currency: 'BRL', total: '150.00', status: 'open' }
  const { data } = await acme.staff.post('/invoices', body)
  await drain()
  return data.id
}

/** Gives the payment. */
async function paid(id: number, body: object = {}): Promise<number> {
  expect((await acme.staff.post(`/invoices/${id}/pay`, body)).status).toBe(200)
  return (await buyer.get(`/invoices/${id}/payments`)).data[0].id
}

async function moved(payment: number, invoice_id: number): Promise<Answer['data']> {
  const answer = await acme.staff.post(`/payments/${payment}/move`, { invoice_id })
  expect(answer.status, answer.raw.body).toBe(200)
  await drain()
  return answer.data
}

const textIn = async (payment: number, language: string): Promise<string> => {
  const { raw } = await buyer.get(`/payments/${payment}/receipt`, { 'accept-language': language })
  return textOn(raw.rawPayload).join(' ')
}
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('the papers', () => {
  it('200: the old receipt says that it was withdrawn, the new one whose place it takes', async () => {
    const [wrong, right] = [await written(), await written()]
    const id = await paid(wrong)
    const { moved_to_id } = await moved(id, right)
    expect(await textIn(id, 'en')).toMatch(/recorded on the wrong\s+invoice[^]*WITHDRAWN/)
    expect(await textIn(id, 'pt-BR')).toMatch(/na\s+fatura\s+errada[^]*CANCELADO/)
    expect(await textIn(moved_to_id, 'en')).toContain(String(id))
    expect(await textIn(moved_to_id, 'en')).not.toContain('WITHDRAWN')
    const { number } = await invoiceOf(right)
    expect(await textIn(moved_to_id, 'pt-BR')).toContain(number)
  })
  it('is archived anew when the invoice is paid again', async () => {
    const [wrong, right] = [await written(), await written()]
    const archived = () =>
      app.database.query<{ version: string; sha256: string }>(
        `select version, sha256 from filed_documents
          where resource = 'invoice' and resource_id = $1 and language = 'en' order by id`,
        [wrong],
      )
    const served = async () => {
      await drain()
      app.clock.advance(10)
      await drain()
      return hashOf((await buyer.get(`/invoices/${wrong}/pdf`, { 'accept-language': 'en' })).data)
    }
    const id = await paid(wrong)
    const first = await served()
    await moved(id, right)
    expect(await served()).not.toBe(first)
    await paid(wrong, { payment_method: 'pix' })
    const second = await served()
    expect((await archived()).map(({ sha256 }) => sha256)).toEqual([first, second])
    expect(second).not.toBe(first)
  })
  it('are mailed: one about the mistake with what is due again, and the receipt of the right invoice', async () => {
    const [wrong, right] = [await written(), await written()]
    const id = await paid(wrong)
    await drain()
    const before = (await mailsTo(app, buyer.email)).length
    await moved(id, right)
    const mails = (await mailsTo(app, buyer.email)).slice(0, -before)
    const [one, other] = [(await invoiceOf(wrong)).number, (await invoiceOf(right)).number]
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      `R$150.00 were recorded for invoice ${one} by mistake`,
      `Receipt: R$150.00 for invoice ${other}`,
    ])
    const about = mails.find(({ subject }) => subject.includes('mistake'))
    for (const words of [`counts for invoice ${other} now`, `Of invoice ${one} R$150.00 are due again`])
      expect(about?.text.replaceAll(/\s+/g, ' ')).toContain(words)
  })
})
