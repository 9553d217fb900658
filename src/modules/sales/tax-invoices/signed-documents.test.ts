// The signed documents are evidence: their hash is shown and checked, and no role of the service can change them.
import { tellNodes } from '#test/harness/database.ts'
import { createHash } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sessionOptions } from '../../../postgres/roles.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

const xmlOf = (id: number) => scene.clerk.get(`/tax-invoices/${id}/xml`)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes)

/** The SQLSTATE of a statement of the role inside the organization; 0 when it works. */
async function codeOf(role: 'titular_app' | 'titular_system', statement: string): Promise<string> {
  const client = new Client({ connectionString: scene.app.database.url, options: sessionOptions(role) })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('app.organization_id', $1, true)`, [String(scene.acme.id)])
    await tellNodes(client)
    await client.query(statement)
    return '0'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  } finally {
    await client.end()
  }
}

it('has its hash in the detail and beside the file, and none before it is issued', async () => {
  scene.authority.script.issue = ['away']
  const { id, xml_sha256 } = await scene.made()
  expect(xml_sha256).toBeNull()
  await scene.workLong(1)
  const { data, headers } = await xmlOf(id)
  expect((await scene.get(id)).xml_sha256).toBe(hashOf(data).digest('hex'))
  expect(headers['repr-digest']).toBe(`sha-256=:${hashOf(data).digest('base64')}:`)
})

it.each(['titular_app', 'titular_system'] as const)('can be read and added to, not changed, by %s', async (role) => {
  const { id } = await scene.made()
  const at = `where organization_id = ${scene.acme.id} and tax_invoice_id = ${id}`
  expect(await codeOf(role, `select xml from tax_invoice_documents ${at}`)).toBe('0')
  for (const statement of [
    `update tax_invoice_documents set xml = '<a/>' ${at}`,
    `update tax_invoice_documents set sha256 = repeat('0', 64) ${at}`,
    `delete from tax_invoice_documents ${at}`,
    'truncate tax_invoice_documents',
    'alter table tax_invoice_documents add column more text',
  ])
    expect(await codeOf(role, statement), statement).toBe('42501')
  const second = `insert into tax_invoice_documents (organization_id, tax_invoice_id, kind, xml, sha256)
    values (${scene.acme.id}, ${id}, 'invoice', '<a/>', repeat('0', 64))`
  expect(await codeOf(role, second), 'no second one beside it').toBe('23505')
})

it('503, for the PDF as well, when the bytes are not those of the hash', async () => {
  const { id } = await scene.made()
  await scene.app.database.query(`update tax_invoice_documents set xml = xml || ' ' where tax_invoice_id = $1`, [id])
  expect((await xmlOf(id)).status).toBe(503)
  expect((await scene.clerk.get(`/tax-invoices/${id}/pdf`)).status).toBe(503)
})

it('stays when the tax invoice is cancelled and the organization is deleted', async () => {
  const { id } = await scene.made()
  const before = (await xmlOf(id)).data
  await scene.acme.staff.post(`/tax-invoices/${id}/cancel`, { reason_code: '1', reason: 'Issued in error' })
  await scene.work()
  expect((await xmlOf(id)).data.equals(before)).toBe(true)
  expect((await scene.acme.owner.delete(`/organizations/${scene.acme.id}`)).status).toBe(200)
  await scene.work()
  const kept = await scene.app.database.query<{ kind: string; sha256: string }>(
    'select kind, sha256 from tax_invoice_documents where tax_invoice_id = $1 order by id',
    [id],
  )
  expect(kept.map(({ kind }) => kind)).toEqual(['invoice', 'cancellation'])
  expect(kept[0]?.sha256).toBe(hashOf(before).digest('hex'))
})
