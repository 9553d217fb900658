// `backfill-crm`: everything that the CRM lacks, once, also after a run that was cut off.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { crmScene, type CrmScene } from '#test/scenes/crm.ts'
import { runBackfill, type Running } from './crm-backfill.ts'

let at: CrmScene
beforeEach(async () => void (at = await crmScene()))
afterEach(() => at.close())

/** As the command does it; the worker of the tests' service does not run by itself otherwise. */
async function run(all = false): Promise<string[]> {
  const lines: string[] = []
  await backfill(all, (line) => void lines.push(line))
  return lines
}
async function backfill(all: boolean, report: Running['report'], signal = new AbortController().signal): Promise<void> {
  // Past the time of the process, at which the command enqueues.
  at.app.clock.advance(600)
  const { service } = at.app
  try {
    await runBackfill(service, { all, signal, report })
  } finally {
    await service.worker.stop()
  }
}
const writes = () => at.portal.log.filter((line) => !line.startsWith('GET'))
const countOf = (type: 'companies' | 'deals', portal = at.portal) => portal.store[type].size

describe('backfill-crm', () => {
  it('sends organizations of each legal entity with their sent quotes; a second run finds nothing left', async () => {
    const acme = await at.app.world.organization({ name: 'Acme' })
    const abroad = await at.app.world.organization({ name: 'Abroad', country: 'US' })
    const gone = await at.app.world.organization({ name: 'Gone' })
    await sentQuote(acme)
    await sentQuote(acme)
    await draftQuote(acme)
    await sentQuote(abroad, { company: 'entity_global', currency: 'USD' })
    await gone.owner.delete(`/organizations/${gone.id}`)
    await at.app.database.query(`delete from jobs where kind like 'crm/%'`)
    const lines = await run()
    expect(lines[0]).toBe('entity_br: 2 of 2 organizations, 3 records to send so far')
    expect(lines.at(-1)).toBe('Done')
    expect([...at.portal.store.companies.values()].map(({ properties }) => properties['name'])).toEqual(['Acme'])
    expect([countOf('deals'), countOf('companies', at.globalPortal), countOf('deals', at.globalPortal)]).toEqual([
      2, 1, 1,
    ])
    at.portal.log.length = 0
    expect(await run()).toContain('entity_br: 2 of 2 organizations, 0 records to send so far')
    expect(writes()).toEqual([])
    await run(true)
    expect(writes()).toEqual([])
    expect([countOf('companies'), countOf('deals')]).toEqual([1, 2])
  })
  it('makes the properties by which it recognizes our records', async () => {
    at.portal.store.unique.companies.clear()
    at.portal.store.unique.deals.clear()
    await run()
    expect([...at.portal.store.unique.companies, ...at.portal.store.unique.deals]).toEqual([
      'titular_organization_id',
      'cnpj',
      'titular_quote_id',
    ])
  })
  it('goes on where it was cut off, and makes nothing twice', async () => {
    const others = await Promise.all(Array.from({ length: 60 }, () => at.app.world.organization()))
    const stopping = new AbortController()
    await expect(backfill(false, () => stopping.abort(), stopping.signal)).rejects.toThrow('aborted')
    expect(countOf('companies')).toBeLessThan(others.length)
    at.portal.trouble('limit', 1)
    await run()
    expect(countOf('companies')).toBe(others.length)
  })
  it('says what the CRM refused, and makes again what was removed there only with --all', async () => {
    const acme = await at.app.world.organization()
    at.portal.refuseWrites('Property values were not valid')
    expect((await run()).at(-1)).toBe('Done, but for 1 jobs: GET /admin/jobs has the reasons')
    at.portal.refuseWrites(null)
    await run()
    const [company] = [...at.portal.store.companies.values()]
    at.portal.store.archive('companies', company?.id ?? '')
    await run()
    await acme.owner.put(`/organizations/${acme.id}`, { phone: '1' })
    await at.app.service.worker.drain()
    expect(countOf('companies')).toBe(1)
    await run(true)
    expect(countOf('companies')).toBe(2)
  })
})
