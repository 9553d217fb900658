// PDFs of contracts and quotes over HTTP.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'

const app = await appOfFile({
  environment: { ENTITY_BR_NAME: 'Vendedora Ltda.', ENTITY_BR_TAX_ID: '11.222.333/0001-81' },
})
const acme = await app.world.organization({ name: 'Açaí & Cia 🚀' })
const other = await app.world.organization()
const viewer = await acme.member({ scopes: ['contracts', 'quotes'] })
const body = {
  title: 'Manutenção “tudo incluído”',
  start_date: '2026-01-01',
  end_date: '2099-12-31',
  notice_days: 60,
  terms: 'Cláusula primeira. '.repeat(300),
  sla_first_response_minutes: { urgent: 90 },
}
const contract: number = (await acme.staff.post('/contracts', body)).data.id
await acme.staff.post(`/contracts/${contract}/status`, { status: 'active' })

const lang = async (headers: Record<string, string>) =>
  /\/Lang \((.*?)\)/.exec((await viewer.get(`/contracts/${contract}/pdf`, headers)).data.toString('latin1'))?.[1]

describe('GET /contracts/{id}/pdf', () => {
  it('200 with a PDF as an attachment', async () => {
    const answer = await viewer.get(`/contracts/${contract}/pdf`)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="Contrato-${contract}.pdf"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-length': String(answer.data.length),
    })
    expect(answer.data.subarray(0, 5).toString()).toBe('%PDF-')
  })
  it('200 in the language of the request, else of the country, with the same bytes each time', async () => {
    expect(await lang({})).toBe('pt-BR')
    expect(await lang({ 'accept-language': 'en-GB,en;q=0.8' })).toBe('en')
    const [one, two] = await Promise.all([1, 2].map(() => viewer.get(`/contracts/${contract}/pdf`)))
    expect(Buffer.compare(one?.data, two?.data)).toBe(0)
  })
  it('403 without the scope, 404 for another organization’s, 405 for a POST', async () => {
    const member = await acme.member({ scopes: ['quotes'] })
    expect((await member.get(`/contracts/${contract}/pdf`)).status).toBe(403)
    expect((await other.owner.get(`/contracts/${contract}/pdf`)).status).toBe(404)
    expect((await viewer.post(`/contracts/${contract}/pdf`)).status).toBe(405)
  })
})

describe('GET /quotes/{id}/pdf', () => {
  it('200 for a sent quote, without marking it as viewed; 404 for a draft', async () => {
    const id = await sentQuote(acme)
    const answer = await viewer.get(`/quotes/${id}/pdf`)
    expect(answer.headers['content-disposition']).toContain('filename="Orcamento-Q-')
    expect(answer.headers['content-disposition']).toContain(`filename*=UTF-8''Or%C3%A7amento-Q-`)
    expect((await acme.staff.get(`/quotes/${id}`)).data.status).toBe('sent')
    const draft = await draftQuote(acme)
    expect((await viewer.get(`/quotes/${draft.id}/pdf`)).status).toBe(404)
  })
})
