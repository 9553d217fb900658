// Exports whose file cannot be written, and requests at once.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Files } from '#ports/files.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'

let acme: Organization
const app = await appOfFile()
beforeEach(async () => void (acme = await app.world.organization()))

const ask = (filters: object, by = acme.staff) =>
  by.post('/admin/exports', { source: 'invoices', filters, format: 'csv' })
const exportOf = async (id: number) => (await acme.staff.get(`/admin/exports/${id}`)).data
async function drain(seconds = 0): Promise<void> {
  app.clock.advance(seconds)
  await app.service.worker.drain()
}

describe('the job of an export', () => {
  it('ends it as failed once it is a dead letter, and writes it when that is restarted', async () => {
    const files: Files = app.service.ports.files
    const { put } = files
    files.put = () => Promise.reject(new Error('the disk is full'))
    const { data } = await ask({})
    for (let attempt = 0; attempt < 10; attempt++) await drain(3600)
    files.put = put
    await app.database.query(`update jobs set run_at = $1 where kind = 'exports/give-up'`, [app.clock.now])
    await app.database.query(`insert into jobs (kind, run_at) values ('exports/give-up', $1)`, [app.clock.now])
    await drain()
    expect(await exportOf(data.id)).toMatchObject({
      status: 'failed',
      problem: 'The file could not be written',
      ended_at: expect.any(String),
    })
    const [letter] = (await acme.staff.get('/admin/jobs')).data
    expect(letter.kind).toBe('exports/write')
    expect((await acme.staff.post(`/admin/jobs/${letter.id}/retry`)).status).toBe(200)
    await drain()
    expect(await exportOf(data.id)).toMatchObject({ status: 'completed', problem: null, rows: 0 })
  })
  it('ends none that is still to be written', async () => {
    const { data } = await ask({})
    await app.database.query(`update jobs set run_at = '2100-01-01' where kind = 'exports/write'`)
    await app.database.query(`insert into jobs (kind, run_at) values ('exports/give-up', $1)`, [app.clock.now])
    await drain()
    expect((await exportOf(data.id)).status).toBe('queued')
    await app.database.query(`update jobs set run_at = $1 where kind = 'exports/write'`, [app.clock.now])
    await drain()
    expect((await exportOf(data.id)).status).toBe('completed')
  })
})

describe('POST /admin/exports', () => {
  it('202 for ten of a person and 409 for the others, of 32 at once', async () => {
    const finance = await acme.staffAs('finance')
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) => ask({ organization_id: index + 1 }, finance)),
    )
    expect(answers.filter(({ status }) => status === 202).length).toBe(10)
    expect(answers.filter(({ status }) => status === 409).length).toBe(22)
    await drain()
  })
})
