// An import that is cut short goes on where it was, and one that is cancelled does not.
import { Readable } from 'node:stream'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FilesUnavailable } from '#ports/files.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { imported, report, sendImport } from '#test/scenes/imports.ts'

let app: TestApp
let acme: Organization
let staff: Speaker

beforeAll(async () => {
  app = await startApp({ hasServedWaits: true })
  acme = await app.world.organization()
  staff = app.world.speaker({ authorization: acme.staff.headers['authorization'] ?? '' }, acme.staff)
})
afterAll(() => app.close())

const kind = { kind: 'organizations' }

/** Jobs that failed are tried again after a while. */
async function untilEnded(id: number, tries = 30): Promise<Awaited<ReturnType<typeof report>>> {
  await app.service.worker.drain()
  const done = await report(staff, id)
  if (done.ended_at !== null || tries === 0) return done
  app.clock.advance(300)
  return untilEnded(id, tries - 1)
}

const lineOf = ({ line, external_id, outcome, errors }: never) => ({ line, external_id, outcome, errors })
const member = (at: number, organization_id: number) => ({
  external_id: `m${at}`,
  email: `m${at}@cut.example`,
  organization_id,
})

describe('an import', () => {
  it('that is cut at every tenth of its file ends as one that was not', async () => {
    const lines = Array.from({ length: 450 }, (_, at) => `${at},${at % 9 === 0 ? '' : `Cut ${at}`},"note\n${at}"`)
    const file = `external_id,name,notes\n${lines.join('\n')}\n`
    const whole = await imported(app, staff, { ...kind, source: 'whole' }, file)
    const { files } = app.service.ports
    const get = files.get.bind(files)
    const cuts = Array.from({ length: 9 }, (_, at) => Math.floor((Buffer.byteLength(file) * (at + 1)) / 10))
    files.get = async (key, range) => {
      const stored = await get(key, range)
      const cut = cuts.find((at) => at > (range?.start ?? 0))
      if (!stored || cut === undefined) return stored
      cuts.splice(cuts.indexOf(cut), 1)
      return { ...stored, content: Readable.from(upTo(stored.content, cut - (range?.start ?? 0))) }
    }
    try {
      const { data } = await sendImport(staff, { ...kind, source: 'cut' }, file)
      const cut = await untilEnded(data.id)
      expect(cuts).toEqual([])
      const { rows, created, refused, status, problem } = whole
      expect({ rows, created, refused, status, problem }).toEqual({
        rows: 450,
        created: 400,
        refused: 50,
        status: 'completed',
        problem: null,
      })
      expect(cut).toMatchObject({ rows, created, refused, status, problem })
      expect(cut.lines.map(lineOf)).toEqual(whole.lines.map(lineOf))
    } finally {
      files.get = get
    }
    const made = await app.database.query(`select 1 from organizations where name like 'Cut %'`)
    expect(made).toHaveLength(800)
  })
  it('that is stopped between two lines counts each once', async () => {
    const other = await app.world.organization()
    const lines = [member(1, acme.id), member(2, acme.id), member(3, other.id), member(4, acme.id), member(2, acme.id)]
    const blocker = new Client({ connectionString: app.database.url })
    await blocker.connect()
    try {
      await blocker.query('begin')
      await blocker.query('select 1 from event_sequences where organization_id = $1 for update', [other.id])
      const { data } = await sendImport(staff, { kind: 'members' }, lines)
      await app.service.worker.drain()
      expect(await report(staff, data.id)).toMatchObject({ status: 'queued', rows: 0 })
      const there = await app.database.query(`select 1 from collaborators where email like '%@cut.example'`)
      expect(there).toHaveLength(3)
      await blocker.query('rollback')
      const done = await untilEnded(data.id)
      expect(done).toMatchObject({ status: 'completed', rows: 5, created: 4, unchanged: 0, refused: 1 })
      expect(done.lines[4].errors).toEqual({ external_id: 'is that of line 2' })
    } finally {
      await blocker.end()
    }
  })
  it('ends when whoever asked for it may not import any more', async () => {
    const rita = await acme.staffAs('sales', 'operations', 'finance')
    const importer = app.world.speaker({ authorization: rita.headers['authorization'] ?? '' }, rita)
    const lines = Array.from({ length: 250 }, (_, at) => ({ external_id: `r${at}`, name: `Role ${at}` }))
    const { data } = await sendImport(importer, { ...kind, source: 'roles' }, lines)
    const { files } = app.service.ports
    const get = files.get.bind(files)
    files.get = async (key, range) => {
      expect((await staff.put(`/admin/staff/${rita.userId}`, { roles: ['finance'], reason: 'Moved' })).status).toBe(200)
      return get(key, range)
    }
    try {
      const done = await untilEnded(data.id)
      const problem = `${done.created_by_name} may not import any more`
      expect(done).toMatchObject({ status: 'failed', problem, rows: 200, created: 200 })
    } finally {
      files.get = get
    }
  })
  it('does not go on for a worker that was taken for dead', async () => {
    const lines = [{ external_id: 'lost', name: 'Lost' }]
    const { data } = await sendImport(staff, { ...kind, source: 'lost' }, lines)
    const [job] = await app.database.query<{ payload: object }>(`select payload from jobs where kind = 'imports/read'`)
    await app.database.query(`insert into jobs (kind, payload) values ('imports/read', $1)`, [job?.payload])
    const done = await untilEnded(data.id)
    expect(done).toMatchObject({ status: 'completed', rows: 1, created: 1 })
    expect(await app.database.query(`select 1 from organizations where name = 'Lost'`)).toHaveLength(1)
  })
})

describe('POST /admin/imports/{id}/cancel', () => {
  it('imports no further lines, and removes the file; 409 once it has ended', async () => {
    const { data } = await sendImport(staff, { ...kind, source: 'stop' }, 'external_id,name\n1,Stopped\n')
    const cancelled = await staff.post(`/admin/imports/${data.id}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, data: { status: 'cancelled', ended_at: expect.any(String) } })
    await app.service.worker.drain()
    expect(await report(staff, data.id)).toMatchObject({ status: 'cancelled', rows: 0, lines: [] })
    expect(await app.database.query(`select 1 from organizations where name = 'Stopped'`)).toEqual([])
    expect((await staff.post(`/admin/imports/${data.id}/cancel`)).status).toBe(409)
    expect((await staff.post('/admin/imports/999999/cancel')).status).toBe(404)
    expect(
      await app.database.query(`select kind from jobs where kind like 'imports/%' or kind = 'files/remove'`),
    ).toEqual([])
  })
})

async function* upTo(content: AsyncIterable<Uint8Array>, bytes: number): AsyncIterable<Uint8Array> {
  let left = bytes
  for await (const chunk of content) {
    if (chunk.length >= left) {
      yield chunk.subarray(0, left)
      throw new FilesUnavailable('the connection ended')
    }
    left -= chunk.length
    yield chunk
  }
}
