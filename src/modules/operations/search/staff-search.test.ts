// GET /admin/search: what staff find of all organizations, by their roles.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization({ name: 'Northwind' })
const name = 'Padaria "Sol" Ltda'
const profile = {
  name,
  cnpj: '11.222.333/0001-81',
  legal_name: 'Panificadora Lua S.A.',
  email: 'contas@padaria.example',
}
await acme.staff.put(`/organizations/${acme.id}`, profile)

type Found = { kind: string; id: number; matched: string; organization_id: number | null; organization_name: string }

const search = async (speaker: Speaker, q: string, more = ''): Promise<Found[]> => {
  const answer = await speaker.get(`/admin/search?q=${encodeURIComponent(q)}${more}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data
}
const found = async (speaker: Speaker, q: string, more = ''): Promise<string[]> =>
  (await search(speaker, q, more)).map(({ kind, id }) => `${kind} ${id}`)

async function entitle(at: Organization, product_name: string) {
  const body = { class: 'PLG', product_name, organization_id: at.id, company: 'entity_br' }
  return (await at.staff.post('/entitlements', body)).data
}

describe('GET /admin/search', () => {
  it('200 with records of all organizations, each with its organization', async () => {
    const [mine, theirs] = [await entitle(acme, 'Zebra listrada'), await entitle(other, 'Zebra')]
    expect(await search(acme.staff, 'zebra')).toEqual([
      expect.objectContaining({ kind: 'entitlement', id: theirs.id, matched: 'product_name' }),
      expect.objectContaining({ id: mine.id, organization_id: acme.id, organization_name: 'Padaria "Sol" Ltda' }),
    ])
    expect(await found(acme.staff, mine.code)).toEqual([`entitlement ${mine.id}`])
    expect(await found(acme.staff, 'zebra', `&organization_id=${other.id}`)).toEqual([`entitlement ${theirs.id}`])
    expect(await found(acme.staff, 'zebra', '&kind=order')).toEqual([])
    expect((await acme.staff.get('/admin/search?q=zebra&kind=nonsense')).status).toBe(422)
    expect((await acme.staff.get('/admin/search?q=z')).status).toBe(422)
  })
  it('200 with organizations by name, legal name, e-mail address, and CNPJ with or without punctuation', async () => {
    for (const q of [
      'padaria',
      'SOL',
      'panificadora lua',
      'contas@padaria.ex',
      '11.222.333/0001-81',
      '11222333',
      '11.222',
    ])
      expect(await found(acme.staff, q), q).toContain(`organization ${acme.id}`)
    expect(await found(acme.staff, '222333')).toEqual([])
    await acme.staff.put(`/organizations/${acme.id}`, { legal_name: 'Confeitaria Lua S.A.' })
    expect(await found(acme.staff, 'panificadora')).toEqual([])
    expect(await found(acme.staff, 'confeitaria')).toEqual([`organization ${acme.id}`])
  })
  it('200 with users by the beginning of their e-mail address, login or name', async () => {
    const person = await app.world.user({ name: 'Zuleica Ñandú', email: 'Z.Nandu@known.example' })
    await app.database.query(`update users set login = 'zula' where id = $1`, [person.userId])
    for (const q of ['z.nandu@known.example', 'Z.NANDU', 'zula', 'zuleica nandu'])
      expect(await found(acme.staff, q), q).toEqual([`user ${person.userId}`])
    expect((await search(acme.staff, 'zula'))[0]).toMatchObject({ organization_id: null, organization_name: null })
    expect(await found(acme.staff, 'zula', `&organization_id=${acme.id}`)).toEqual([])
    expect(await found(acme.staff, 'zula', '&kind=user')).toEqual([`user ${person.userId}`])
    expect(await found(acme.staff, 'zula', '&kind=organization')).toEqual([])
  })
  it('200 with licenses by the beginning of their key, by product and by domain', async () => {
    const { id: entitlementId, code } = await entitle(acme, 'Plugin')
    const add = async (key: string, domain: string): Promise<string> => {
      const [row] = await app.database.query<{ id: number }>(
        `insert into licenses (organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit)
         values ($1, $2, 'Plugin', $3, $4, 5) returning id`,
        [acme.id, key, entitlementId, code],
      )
      const answer = await acme.staff.post(`/licenses/${row?.id}/activate`, { domain })
      expect(answer.status, answer.raw.body).toBe(200)
      return `license ${row?.id}`
    }
    const one = await add('ABCDE-FGHJK-MNPQR-STVWX-YZ234', 'loja.padaria.example')
    const brought = await add('wc-19af-77c0-22de', 'blog.padaria.example')
    for (const q of ['ABCDE-FGHJK-MNPQR-STVWX-YZ234', 'abcde-fg', 'loja.padaria'])
      expect(await found(acme.staff, q), q).toEqual([one])
    expect(await found(acme.staff, 'wc-19af')).toEqual([brought])
    expect(await found(await acme.staffAs('finance'), 'abcde-fg')).toEqual([])
  })
  it('200 with nothing that the role may not list', async () => {
    const { id } = await entitle(acme, 'Quagga')
    const ticket = (await acme.staff.post('/tickets', { title: 'Quagga is slow', entitlement_id: id })).data
    expect(await found(acme.staff, 'quagga')).toEqual([`entitlement ${id}`, `ticket ${ticket.id}`])
    const of = async (role: Parameters<Organization['staffAs']>[0], q: string) => found(await acme.staffAs(role), q)
    expect(await of('finance', 'quagga')).toEqual([`entitlement ${id}`])
    expect(await of('support', 'quagga')).toEqual([`entitlement ${id}`, `ticket ${ticket.id}`])
    const { email } = await app.world.user()
    const invite = await acme.owner.post(`/organizations/${acme.id}/collaborators`, { email })
    expect(await of('finance', email)).toEqual([`collaborator ${invite.data.id}`])
    expect(await of('support', email)).toEqual([expect.stringMatching(/^user /), `collaborator ${invite.data.id}`])
    expect((await acme.owner.get('/admin/search?q=quagga')).status).toBe(403)
    expect((await app.world.anonymous.get('/admin/search?q=quagga')).status).toBe(401)
  })
  it('200 with exact matches first, in pages, with the text taken literally', async () => {
    await entitle(acme, 'Alfabeto Beta')
    const exact = await entitle(other, 'Alfabeto')
    await entitle(acme, 'Alfabeto Gama')
    const answer = await acme.staff.get('/admin/search?q=alfabeto&per_page=1')
    expect(answer.data[0].id).toBe(exact.id)
    expect(answer.meta).toMatchObject({ total: 3, pages: 3 })
    expect(await found(acme.staff, 'alfabeto', '&page=9')).toEqual([])
    for (const q of ['%%', '__', '--', "' or 1=1", '😀😀', String.raw`\\`, '  ', '\u00A0\u3000'])
      expect(await found(acme.staff, q), q).toEqual([])
  })
})
