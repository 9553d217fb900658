// The search: what it finds, and for whom.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { apiKey } from '#test/scenes/records.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const entitlement: Answer['data'] = await entitle(acme, 'Ação Backup Pró')
await entitle(other, 'Ação Backup Pró')
const contract: number = (
  await acme.staff.post('/contracts', { title: 'Backup 50% off_now', start_date: '2026-01-01' })
).data.id
await acme.staff.post(`/contracts/${contract}/status`, { status: 'active' })

async function entitle(at: Organization, product_name: string): Promise<Answer['data']> {
  const body = { class: 'PLG', product_name, organization_id: at.id, company: 'entity_br' }
  return (await at.staff.post('/entitlements', body)).data
}
const found = async (speaker: Speaker, q: string, more = ''): Promise<string[]> => {
  const answer = await speaker.get(`/search?q=${encodeURIComponent(q)}${more}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data.map(({ kind, id }: { kind: string; id: number }) => `${kind} ${id}`)
}

describe('GET /search', () => {
  it('200 by code and by any word of a name, ignoring case, accents and punctuation', async () => {
    const wanted = `entitlement ${entitlement.id}`
    const digits = entitlement.code.slice(4)
    for (const q of [
      entitlement.code,
      entitlement.code.toLowerCase(),
      digits,
      digits.slice(0, 8),
      'acao',
      'BACKUP pro',
      'pró',
    ])
      expect(await found(acme.owner, q), q).toContain(wanted)
    expect((await acme.owner.get(`/search?q=${entitlement.code}`)).data).toEqual([
      { kind: 'entitlement', id: entitlement.id, label: `${entitlement.code} Ação Backup Pró`, matched: 'code' },
    ])
  })
  it('200 with the wildcards of patterns taken literally', async () => {
    expect(await found(acme.owner, '50% off')).toEqual([`contract ${contract}`])
    for (const q of ['%%', '__', '%5%x', String.raw`\\`, '--', "' or 1=1", '😀😀'])
      expect(await found(acme.owner, q), q).toEqual([])
  })
  it('200 without records of another organization', async () => {
    expect(await found(other.owner, entitlement.code)).not.toContain(`entitlement ${entitlement.id}`)
    expect(await found(other.owner, 'off now')).toEqual([])
  })
  it('200 with each kind only for its scope, and empty without any scope', async () => {
    expect(await found(await acme.member({ scopes: ['contracts'] }), 'backup')).toEqual([`contract ${contract}`])
    expect(await found(await acme.member({ scopes: ['entitlements'] }), 'backup')).toEqual([
      `entitlement ${entitlement.id}`,
    ])
    expect(await found(await acme.member({ scopes: [] }), 'backup')).toEqual([])
    expect(await found(acme.staff, 'backup')).toHaveLength(2)
    const key = await apiKey(app, acme, { permission: 'read', scopes: ['contracts'] })
    const robot = app.world.speaker({ ...key, 'x-service-organization': String(acme.id) }, acme.owner)
    expect(await found(robot, 'backup')).toEqual([`contract ${contract}`])
  })
  it('200 with drafts for staff only', async () => {
    const { id, number } = await draftQuote(acme)
    expect(await found(acme.owner, number)).not.toContain(`quote ${id}`)
    expect(await found(acme.staff, number)).toContain(`quote ${id}`)
    const sent = await sentQuote(acme)
    expect(await found(acme.owner, `q ${sent}`)).toContain(`quote ${sent}`)
  })
  it('200 follows a change of the name, and does not find what is removed', async () => {
    const one = await entitle(acme, 'Zebra listrada')
    expect(await found(acme.owner, 'listrada')).toEqual([`entitlement ${one.id}`])
    await acme.staff.patch(`/entitlements/${one.id}`, { product_name: 'Girafa' })
    expect(await found(acme.owner, 'listrada')).toEqual([])
    expect(await found(acme.owner, 'girafa')).toEqual([`entitlement ${one.id}`])
    expect(await found(acme.owner, one.code)).toEqual([`entitlement ${one.id}`])
    const invited = (
      await acme.owner.post(`/organizations/${acme.id}/collaborators`, {
        email: 'zelda@hyrule.example',
        role: 'member',
      })
    ).data
    expect(await found(acme.owner, 'hyrule.ex')).toEqual([`collaborator ${invited.id}`])
    await acme.owner.delete(`/organizations/${acme.id}/collaborators/${invited.id}`)
    expect(await found(acme.owner, 'hyrule.ex')).toEqual([])
  })
  it('200 with a license by its product, its domains and its whole key', async () => {
    const [license] = await app.database.query<{ id: number }>(
      `insert into licenses (organization_id, license_key, product_name, entitlement_id, entitlement_code, activations_limit)
       values ($1, 'ABCDE-FGHJK-MNPQR-STVWX-YZ234', 'Backup', $2, $3, 5) returning id`,
      [acme.id, entitlement.id, entitlement.code],
    )
    const wanted = [`license ${license?.id}`]
    expect(await found(acme.owner, 'abcde-fghjk-mnpqr-stvwx-yz234')).toEqual(wanted)
    expect(await found(acme.owner, 'ABCDE-FGHJK')).toEqual([])
    expect(await found(await acme.member({ scopes: ['entitlements'] }), 'ABCDE-FGHJK-MNPQR-STVWX-YZ234')).toEqual([])
  })
  it('200 with collaborators by name, for the scope organization', async () => {
    const person = await acme.member({ scopes: [], email: 'somebody@known.example' })
    await app.database.query(`update users set name = 'Zuleica Ñandú' where id = $1`, [person.userId])
    expect(await found(acme.owner, 'nandu')).toHaveLength(1)
    expect(await found(acme.owner, 'known.example')).toHaveLength(1)
    expect(await found(await acme.member({ scopes: ['quotes'] }), 'nandu')).toEqual([])
  })
  it('200 with exact matches first, in pages', async () => {
    await entitle(acme, 'Alfabeto Beta')
    await entitle(acme, 'Alfabeto')
    const { data } = await acme.owner.get('/search?q=alfabeto')
    expect(data.map(({ label }: { label: string }) => label.slice(15))).toEqual(['Alfabeto', 'Alfabeto Beta'])
    const second = await acme.owner.get('/search?q=alfabeto&per_page=1&page=2')
    expect(second.meta).toEqual({ page: 2, per_page: 1, total: 2, pages: 2 })
    expect(second.data).toEqual([data[1]])
    expect(await found(acme.owner, 'alfabeto', '&kind=contract')).toEqual([])
  })
  it('422 for a query that is missing or too short, and for an unknown kind', async () => {
    for (const query of ['', '?q=a', `?q=${'x'.repeat(101)}`, '?q=ab&kind=secret', '?q=ab&q=cd'])
      expect((await acme.owner.get(`/search${query}`)).status, query).toBe(422)
  })
})
