// The Accept header, on answers of each form.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { sentQuote } from '#test/scenes/commerce.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const statusOf = async (path: string, accept: string) => (await acme.owner.get(path, { accept })).status

describe('Accept', () => {
  it.each([
    '*/*',
    'application/json',
    'Application/JSON;charset=utf-8',
    'application/*',
    'text/html, application/xml;q=0.9, */*;q=0.8',
    'text/html, application/json;q=0.001',
    'text/html;q=0, */*',
    '',
    'nonsense',
  ])('200 for JSON: %s', async (accept) => expect(await statusOf('/quotes', accept)).toBe(200))

  it.each(['text/html', 'application/xml, image/*', 'application/json;q=0', 'application/json; q=0.0, */*', '*/*;q=0'])(
    '406 for JSON: %s',
    async (accept) => {
      const { status, errors } = await acme.owner.get('/quotes', { accept })
      expect([status, errors?.code]).toEqual([406, 'NOT_ACCEPTABLE'])
    },
  )

  it.each([
    ['application/pdf', 200],
    ['application/json, */*', 200],
    ['application/json', 406],
  ])('a PDF with %s is %i', async (accept, status) => {
    const id = await sentQuote(acme)
    expect(await statusOf(`/quotes/${id}/pdf`, accept)).toBe(status)
  })

  it('406 changes nothing', async () => {
    const organization = { name: 'Never written' }
    expect((await acme.owner.post('/organizations', organization, { accept: 'text/html' })).status).toBe(406)
    const found = await app.database.query('select id from organizations where name = $1', [organization.name])
    expect(found).toEqual([])
  })

  it('comes after the access check', async () => {
    const stranger = await app.world.organization()
    const { status } = await stranger.owner.get('/quotes', {
      accept: 'text/html',
      'x-service-organization': String(acme.id),
    })
    expect(status).toBe(403)
  })

  it('is not asked of a provider’s webhook, which is refused for its signature', async () => {
    const sent = await acme.owner.post('/webhooks/payment/entity_br', {}, { accept: 'text/html' })
    expect(sent.status).toBe(401)
  })
})
