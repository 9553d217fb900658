// The form of a report's file: by the parameter, or by the Accept header.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const ask = (accept: string, query = '') => acme.staff.get(`/admin/reports/receivables${query}`, { accept })

describe('GET /admin/reports/{name}', () => {
  it.each([
    ['text/csv', 'text/csv'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['text/*', 'text/csv'],
    ['text/csv;q=0.2, application/x-ndjson;q=0.9', 'application/x-ndjson'],
    ['application/x-ndjson, text/csv', 'text/csv'],
    ['text/csv;q=0, application/x-ndjson;q=0.001', 'application/x-ndjson'],
    ['text/html, TEXT/CSV; header=present', 'text/csv'],
  ])('200 with Accept %s as %s', async (accept, type) => {
    const { status, raw } = await ask(accept)
    expect([status, raw.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
  })
  it('200 with the format of the parameter, whatever the header says', async () => {
    for (const accept of ['application/x-ndjson', 'application/json', '*/*', 'text/html']) {
      const { status, raw } = await ask(accept, '?format=csv-br')
      expect([status, raw.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    }
  })
  it.each([
    'application/json',
    '*/*',
    'text/html, */*;q=0.1',
    '',
    'nonsense',
    'text/csv;q=0, */*',
    'text/csv, application/json',
    'application/*',
    'text/csv;q=0.5, application/json',
  ])('200 as JSON with Accept %s', async (accept) => {
    const { status, data, raw } = await ask(accept)
    expect([status, data.report]).toEqual([200, 'receivables'])
    expect([raw.headers['content-type'], raw.headers['content-disposition']]).toEqual([
      'application/json; charset=utf-8',
      undefined,
    ])
    expect(raw.headers['etag']).toMatch(/^W\//)
  })
  it.each(['application/xml', 'text/html, image/*', 'text/csv;q=0', 'text/csv;q=0.0, application/*;q=0'])(
    '406 when Accept excludes all: %s',
    async (accept) => {
      const { status, errors } = await ask(accept)
      expect([status, errors?.code]).toEqual([406, 'NOT_ACCEPTABLE'])
    },
  )
  it('200 for members by the same rule, and 403 before it', async () => {
    const { status, raw } = await acme.owner.get('/reports/receivables', { accept: 'text/csv' })
    expect([status, raw.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const support = await acme.staffAs('support')
    expect((await support.get('/admin/reports/receivables', { accept: 'text/html' })).status).toBe(403)
  })
})
