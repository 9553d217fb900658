// The service with the stand-in of a tax authority, and helpers for tests of tax invoices.
import { expect } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { paidInvoice } from './paid-invoices.ts'
import { type MunicipalityStandIn, municipalityStandIn } from '#test/stand-ins/municipality.ts'
import { type TaxAuthorityStandIn, taxAuthorityStandIn, type ScriptedAnswer } from '#test/stand-ins/tax-authority.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

export type TaxScene = {
  app: TestApp
  authority: TaxAuthorityStandIn
  municipality: MunicipalityStandIn
  acme: Organization
  clerk: Speaker
  work: () => Promise<void>
  /** Runs so many times the jobs that wait for a later time. */
  workLong: (times: number) => Promise<void>
  /** Runs the jobs as at that moment, by so many schedulers at once. */
  workAt: (moment: Date, schedulers?: number) => Promise<void>
  /** Runs the sweep for tax invoices without a live job. */
  sweep: () => Promise<void>
  get: (id: number) => Promise<Answer['data']>
  /** The tax invoice of a paid invoice, sent to an authority with these answers. */
  made: (...answers: ScriptedAnswer[]) => Promise<Answer['data']>
  /** One row with one declaration and one number, which the authority has issued. */
  expectIssuedOnce: (id: number) => Promise<void>
}

/** The kinds of calls to the authority. */
export const KINDS = (calls: string[]) => calls.map((call) => call.split(' ')[0])

export async function taxScene(more: Record<string, string> = {}): Promise<TaxScene> {
  const authority = taxAuthorityStandIn()
  const municipality = municipalityStandIn()
  const environment = { ENTITY_BR_TAX_ID: '12.abc.345/01de-35', ENTITY_BR_NAME: 'Vendor Ltda', ...more }
  const app = await startApp({ ports: { taxAuthority: authority, municipalParameters: municipality }, environment })
  const acme = await app.world.organization()
  const clerk = await acme.member({ scopes: ['finances'] })
  const work = () => app.service.worker.drain()
  const get = async (id: number) => (await clerk.get(`/tax-invoices/${id}`)).data
  return {
    app,
    authority,
    municipality,
    acme,
    clerk,
    work,
    get,
    async workLong(times) {
      for (let time = 0; time < times; time++) {
        // Moves the jobs to now instead of the clock forward, since tokens would expire.
        await app.database.query(`update jobs set run_at = $1 where kind like 'tax-invoices/%' and dead_at is null`, [
          app.clock.now,
        ])
        await work()
      }
    },
    async workAt(moment, schedulers = 1) {
      const before = app.clock.now
      app.clock.now = moment
      await Promise.all(Array.from({ length: schedulers }, work))
      app.clock.now = before
    },
    async sweep() {
      const job = `insert into jobs (kind, run_at) values ('tax-invoices/sweep', $1)`
      await app.database.query(job, [app.clock.now])
      await work()
    },
    async made(...answers) {
      authority.script.issue.push(...answers)
      const invoice = await paidInvoice(app, acme)
      await work()
      const [row] = await app.database.query<{ id: number }>('select id from tax_invoices where invoice_id = $1', [
        invoice,
      ])
      expect(row).toBeDefined()
      return get(row?.id ?? 0)
    },
    async expectIssuedOnce(id) {
      const found = await get(id)
      expect(found).toMatchObject({ status: 'issued', substatus: null, error_code: null, error_message: null })
      const ids = new Set(authority.calls.map((call) => call.split(' ')[1]))
      expect(ids, 'the same declaration every time').toEqual(new Set([`DPS-1-${found.rps_number}`]))
      expect(authority.issued.get(`DPS-1-${found.rps_number}`)?.number).toBe(found.nfse_number)
    },
  }
}
