import { expect } from 'vitest'
import { imported, importScene, type ImportScene, outcomes } from '#test/scenes/imports.ts'
import type { PublicCase } from './public-case.ts'

type Given = { kind: string; content: string } & Record<string, string>

/** Imports the files one after the other from one source, which has nothing yet; gives what became of their lines. */
async function importing(
  files: readonly Given[],
  check: (done: any[], scene: ImportScene) => Promise<void>,
): Promise<void> {
  const scene = await importScene()
  try {
    const done = []
    for (const { content, ...asked } of files)
      done.push(await imported(scene.app, scene.staff, { source: 'public', ...asked }, content))
    await check(done, scene)
  } finally {
    await scene.app.close()
  }
}

const organizationA = { kind: 'organizations', content: 'external_id;name;country\nA;Norte;BR\n' }

export const importsCases: PublicCase[] = [
  {
    name: 'csv-true',
    expected: 'TRUE and FALSE are booleans',
    standard: 'Excel, which writes true as TRUE when it saves a CSV (microsoft/AzureStorageExplorer #6821)',
    check: ({ text }) =>
      importing(
        [
          { kind: 'organizations', content: text('organizations.csv') },
          { kind: 'members', content: text('members.csv') },
        ],
        async ([organizations, members], { app, staff }) => {
          expect([organizations, members].map(outcomes)).toEqual([['created', 'created'], ['created']])
          const [north, south] = organizations.lines.map((one: { organization_id: number }) => one.organization_id)
          for (const [id, requires] of [
            [north, true],
            [south, false],
          ])
            expect((await app.world.inside(staff, id).get(`/organizations/${id}`)).data).toMatchObject({
              requires_invoice_for_payment: requires,
            })
          const [member] = (await app.world.inside(staff, north).get(`/organizations/${north}/collaborators`)).data
          expect(member).toMatchObject({ can_manage_finances: true })
        },
      ),
  },
  {
    name: 'csv-empty-rows',
    expected: 'rows of delimiters alone are left out',
    standard: 'Excel, which writes all rows of its used range',
    check: ({ text }) =>
      importing([{ kind: 'organizations', content: text('organizations.csv') }], async ([done]) => {
        expect(done).toMatchObject({ status: 'completed', rows: 1, created: 1, refused: 0 })
      }),
  },
  {
    name: 'csv-sep',
    expected: 'the first line names the delimiter',
    standard: 'Excel, the line sep=',
    check: ({ text }) =>
      importing([{ kind: 'organizations', content: text('organizations.csv') }], async ([done]) => {
        expect(done).toMatchObject({ status: 'completed', created: 1, layout: { delimiter: ';' } })
        expect(done.lines).toMatchObject([{ line: 3, external_id: '1' }])
      }),
  },
  {
    name: 'csv-spaces',
    expected: 'white space around a value does not count',
    standard: 'RFC 4180 2.4, and the accounting formats of Excel',
    check: ({ text }) => {
      const layout = { delimiter: ';', decimal_separator: ',', date_format: 'dd/mm/yyyy' }
      return importing(
        [
          { kind: 'organizations', content: text('organizations.csv') },
          { kind: 'invoices', content: text('invoices.csv'), ...layout },
        ],
        async ([organizations, invoices], { app, staff }) => {
          expect([organizations, invoices].map(outcomes)).toEqual([['created'], ['created']])
          const { organization_id: id, resource_id } = invoices.lines[0]
          const inside = app.world.inside(staff, id)
          expect((await inside.get(`/organizations/${id}`)).data).toMatchObject({ email: 'ana@norte.example' })
          expect((await inside.get(`/invoices/${resource_id}`)).data).toMatchObject({
            total: '1234.56',
            due_date: '2026-12-31',
          })
        },
      )
    },
  },
  {
    name: 'csv-date-for-time',
    expected: 'a day is until its end in the time zone of the legal entity',
    standard: 'exports of WHMCS (nextduedate), Chargebee and Stripe, which have days',
    check: ({ text }) =>
      importing(
        [organizationA, { kind: 'entitlements', content: text('entitlements.csv'), date_format: 'dd/mm/yyyy' }],
        async ([, done], { app, staff }) => {
          expect(outcomes(done)).toEqual(['created'])
          const { organization_id: id, resource_id } = done.lines[0]
          expect((await app.world.inside(staff, id).get(`/entitlements/${resource_id}`)).data).toMatchObject({
            expires_at: '2028-01-01T03:00:00.000Z',
          })
        },
      ),
  },
  {
    name: 'csv-quote-inside',
    expected: 'quotation marks inside of a cell without them are part of it',
    standard: 'RFC 4180 2.5, and the form ="00042" with which exporters keep zeros',
    check: ({ text }) =>
      importing(
        [{ kind: 'organizations', content: text('organizations.csv'), delimiter: ';' }],
        async ([done], { app, staff }) => {
          expect(done).toMatchObject({ status: 'completed', created: 4 })
          expect(done.lines.map(({ external_id }: { external_id: string }) => external_id)).toEqual([
            '1',
            '2',
            '00042',
            '4',
          ])
          const { organization_id: id } = done.lines[0]
          expect((await app.world.inside(staff, id).get(`/organizations/${id}`)).data.name).toBe('Loja "A Boa"')
        },
      ),
  },
  {
    name: 'total-message',
    expected: 'a text that is no amount is told the form of amounts',
    standard: 'docs/interface/sales.md: an amount is a decimal string, and an integer is cents',
    check: ({ json }) => {
      const columns = 'external_id;organization_external_id;number;currency;total'
      return importing(
        [
          organizationA,
          {
            kind: 'invoices',
            content: `${columns}\n1;A;NF-1;BRL;${json('request.json').total}\n`,
          },
        ],
        async ([organization, invoices], { app, staff }) => {
          const total = 'must have the form of 150.00'
          expect(invoices.lines).toMatchObject([{ outcome: 'refused', errors: { total } }])
          const inside = app.world.inside(staff, organization.lines[0].organization_id)
          const { status, errors } = await inside.post('/invoices', json('request.json'))
          expect({ status, fields: errors?.fields }).toEqual({ status: 422, fields: { total } })
        },
      )
    },
  },
]
