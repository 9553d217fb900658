import { describe, expect, it } from 'vitest'
import type { PostalCodeAnswer } from '#ports/postal-codes.ts'
import { appOfFile, type TestApp } from '#test/harness/app.ts'

const CODES: Readonly<Record<string, PostalCodeAnswer>> = {
  '01310100': {
    outcome: 'found',
    street: 'Avenida Paulista',
    neighborhood: 'Bela Vista',
    city: 'São Paulo',
    state: 'SP',
  },
  '12940000': { outcome: 'found', street: null, neighborhood: null, city: 'Atibaia', state: 'SP' },
  '00000000': { outcome: 'not_found' },
}
const NOTHING = { address: null, neighborhood: null, city: null, state: null }

/** How many transactions were open each time that the source was asked. */
const open: number[] = []
const app: TestApp = await appOfFile({
  ports: {
    postalCodes: {
      async find(zipcode) {
        const rows = await app.database.query(
          `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
        )
        open.push(rows.length)
        return CODES[zipcode] ?? { outcome: 'unavailable' }
      },
    },
  },
})
const offline = await appOfFile()

describe('GET /postal-codes/{zipcode}', () => {
  it('200 with the address, with and without hyphen, and with no transaction meanwhile', async () => {
    const ana = await app.world.user()
    const answer = {
      zipcode: '01310100',
      address: 'Avenida Paulista',
      neighborhood: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      status: 'found',
    }
    for (const zipcode of ['01310-100', '01310100'])
      expect(await ana.get(`/postal-codes/${zipcode}`)).toMatchObject({ status: 200, data: answer })
    expect(open).toEqual([0, 0])
  })
  it('200 with nulls for what a code does not tell', async () => {
    const { data } = await (await app.world.user()).get('/postal-codes/12940-000')
    expect(data).toEqual({ ...NOTHING, zipcode: '12940000', city: 'Atibaia', state: 'SP', status: 'found' })
  })
  it('200 with the status of a code that is unknown, or that nobody tells', async () => {
    const ana = await app.world.user()
    const of = async (zipcode: string): Promise<unknown> => (await ana.get(`/postal-codes/${zipcode}`)).data
    expect(await of('00000000')).toEqual({ ...NOTHING, zipcode: '00000000', status: 'not_found' })
    expect(await of('99999999')).toEqual({ ...NOTHING, zipcode: '99999999', status: 'unknown' })
    const nobody = await (await offline.world.user()).get('/postal-codes/01310100')
    expect(nobody.data).toEqual({ ...NOTHING, zipcode: '01310100', status: 'unknown' })
  })
  it('401 without credentials, 422 for what is no postal code', async () => {
    expect((await app.world.anonymous.get('/postal-codes/01310100')).status).toBe(401)
    const ana = await app.world.user()
    for (const wrong of ['1310100', '013101000', '0131-0100', '01310_100', '01310-100%0A', '٠١٣١٠١٠٠', 'x'.repeat(90)])
      expect(await ana.get(`/postal-codes/${wrong}`)).toMatchObject({
        status: 422,
        errors: { fields: { zipcode: expect.any(String) } },
      })
  })
})
