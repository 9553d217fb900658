// Imports the samples of docs/imports as its page says, through the API: each line becomes a record.
import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { readPage } from '#test/harness/page-code.ts'
import { imported, outcomes } from '#test/scenes/imports.ts'
import type { Speaker } from '#test/harness/world.ts'

const FOLDER = 'docs/imports'
const root = join(import.meta.dirname, '../..', FOLDER)
const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8')
const linked = (cell: string): string => /\((?<file>.+)\)/.exec(cell)?.groups?.['file'] ?? ''

const page = await readPage(`${FOLDER}/README.md`)
const samples = page.split('\n').flatMap((line) => {
  const [, source = '', kind = '', sample = '', mapping = '', more = ''] = line.split('|').map((cell) => cell.trim())
  if (!source.startsWith('`')) return []
  const fields = [...more.matchAll(/`(?<name>\w+)=(?<value>[^`]+)`/g)].map(({ groups }) => [
    groups?.['name'] ?? '',
    groups?.['value'] ?? '',
  ])
  return [
    {
      source: source.replaceAll('`', ''),
      kind: kind.replaceAll('`', ''),
      sample: linked(sample),
      mapping: linked(mapping),
      fields: Object.fromEntries(fields) as Record<string, string>,
    },
  ]
})

let app: TestApp
let staff: Speaker
beforeAll(async () => {
  app = await startApp()
  const acme = await app.world.organization()
  staff = app.world.speaker({ authorization: acme.staff.headers['authorization'] ?? '' }, acme.staff)
})
afterAll(() => app.close())

describe('the samples of docs/imports', () => {
  it('are all in the table of the page', () => {
    const files = samples.flatMap(({ sample, mapping }) => [sample, mapping])
    expect(files.toSorted()).toEqual(globSync('*/*', { cwd: root }).toSorted())
  })

  it.each(samples)('$source, $kind: each line becomes a record, and on a second run none', async (one) => {
    const asked = { kind: one.kind, source: one.source, mapping: await read(one.mapping), ...one.fields }
    const content = await read(one.sample)
    const lines = content.trimEnd().split('\n').length - 1
    const done = await imported(app, staff, asked, content)
    expect(done.lines.map(({ errors }: { errors: object | null }) => errors)).toEqual(Array(lines).fill(null))
    expect(outcomes(done)).toEqual(Array(lines).fill('created'))
    expect(outcomes(await imported(app, staff, asked, content))).toEqual(Array(lines).fill('unchanged'))
  })

  it('fill the fields that the columns are for', async () => {
    const rows = async (source: string, kind: string) => {
      const { data } = await staff.get(`/admin/imports?source=${source}&kind=${kind}`)
      return (await staff.get(`/admin/imports/${data.at(-1).id}/rows`)).data
    }
    const [first] = await rows('erp', 'organizations')
    const inside = app.world.inside(staff, first.organization_id)
    expect((await inside.get(`/organizations/${first.organization_id}`)).data).toMatchObject({
      name: 'Oficina do Zé Ltda.',
      legal_name: 'Oficina do Zé Ltda.',
      cnpj: '11222333000181',
      email: 'fiscal@oficina.example',
      tax_email: 'fiscal@oficina.example',
      state_registration: null,
      country: 'BR',
    })
    expect((await inside.get('/invoices')).data).toMatchObject([
      { number: 'NF-7781', total: '1250.00', status: 'paid' },
    ])
    const [yearly] = await rows('chargebee', 'subscriptions')
    const buyer = app.world.inside(staff, yearly.organization_id)
    const { data: orders } = await buyer.get('/orders')
    expect((await buyer.get(`/orders/${orders[0].id}`)).data).toMatchObject({
      total: '490.00',
      purchase_order: 'PO-2025-7',
      line_items: [{ product_name: 'Pro', interval: 'year' }],
    })
  })
})
