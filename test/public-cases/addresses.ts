import { expect } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { license } from '#test/scenes/licenses.ts'
import type { PublicCase } from './public-case.ts'

async function withApp(check: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await startApp()
  try {
    await check(app)
  } finally {
    await app.close()
  }
}

export const addressesCases: PublicCase[] = [
  {
    name: 'mail-ip-literal',
    expected: 'an address to which no mail is sent is refused where it is entered',
    standard: 'RFC 5321 4.1.3, and what the mailer of the service takes',
    check: ({ json }) =>
      withApp(async ({ world, database }) => {
        const { status, errors } = await world.anonymous.post('/auth/register-email', json('request.json'))
        expect({ status, fields: errors?.fields }).toEqual({
          status: 422,
          fields: { email: 'must be an e-mail address' },
        })
        expect(await database.query("select id from jobs where kind = 'auth/mail-token'")).toEqual([])
      }),
  },
  {
    name: 'url-idn',
    expected: 'an international domain is kept with its A-label',
    standard: 'WHATWG URL, RFC 5890',
    check: ({ json }) =>
      withApp(async ({ world }) => {
        const acme = await world.organization()
        const { website } = json('request.json')
        const ascii = 'https://xn--aa-4iaz.com.br'
        const organization = await acme.owner.put(`/organizations/${acme.id}`, { website })
        expect(organization).toMatchObject({ status: 200, data: { website: ascii } })
        expect(await acme.owner.put('/auth/me', { avatar: `${website}/ana.png` })).toMatchObject({
          status: 200,
          data: { avatar: `${ascii}/ana.png` },
        })
        const endpoint = await acme.owner.post('/webhook-endpoints', { url: `${website}/hook`, events: ['*'] })
        expect(endpoint, endpoint.raw.body).toMatchObject({ status: 201, data: { url: `${ascii}/hook` } })
      }),
  },
  {
    name: 'license-local',
    expected: 'a site that no public name server has takes no slot',
    standard: 'RFC 6762 3',
    check: ({ json }) =>
      withApp(async ({ world }) => {
        const acme = await world.organization()
        const { id } = await license(acme)
        const member = await acme.member({ scopes: ['licenses'] })
        const before = (await member.get(`/licenses/${id}`)).data.activations_count
        for (const domain of json('domains.json'))
          expect(await member.post(`/licenses/${id}/activate`, { domain })).toMatchObject({
            status: 200,
            data: { activations_count: before },
          })
      }),
  },
]
