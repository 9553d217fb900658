// Files that are no clean export: refused at the upload, or at the line that is wrong.
import { describe, expect, it } from 'vitest'
import { FilesUnavailable } from '#ports/files.ts'
import { appOfFile } from '#test/harness/app.ts'
import { imported, sendImport } from '#test/scenes/imports.ts'
import { csvRecords } from './csv-records.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const staff = app.world.speaker({ authorization: acme.staff.headers['authorization'] ?? '' }, acme.staff)

const kind = { kind: 'organizations' }
let sources = 0
/** Each with a source of its own, so that no line was imported before. */
const run = (content: string | Buffer | object[], more: Record<string, string> = {}) =>
  imported(app, staff, { ...kind, source: `bad-${sources++}`, ...more }, content)

const jobs = async () => (await app.database.query(`select kind from jobs where every_seconds is null`)).length

describe('POST /admin/imports', () => {
  it('403 for everybody but administrators', async () => {
    expect((await sendImport(acme.owner, kind, 'external_id,name\n')).status).toBe(403)
  })
  it('422 names what is wrong with the file as a whole, and keeps nothing', async () => {
    const refused: [string, string | Buffer, Record<string, string>?][] = [
      ['file: has the column "nmae", which this kind has not', 'external_id,nmae\n'],
      ['file: has the column name twice', 'external_id,name,name\n'],
      ['file: must have the column external_id', 'name;country\n'],
      ['file: is in UTF-16; save it as UTF-8', Buffer.from('\ufeffexternal_id,name\n', 'utf16le')],
      ['file: is empty', ''],
      ['file: must begin with the names of its columns, within 64 KiB', '\n\n'],
      ['file: its first line has a quotation mark that is not closed', '"external_id,name\n'],
      ['file: has the column "external_id', 'external_id,name\n', { delimiter: ';' }],
      ['encoding: is for a CSV', '{}', { format: 'ndjson', encoding: 'utf-8' }],
      ['kind: must be one of', 'external_id\n', { kind: 'quotes' }],
      ['file: begins with sep= and another sign', 'sep=|\nexternal_id|name\n'],
      ['source: must have the form of whmcs', 'external_id\n', { source: 'W H' }],
    ]
    const before = await jobs()
    for (const [problem, content, asked] of refused) {
      const { status, errors } = await sendImport(staff, { ...kind, ...asked }, content)
      const [[field, text] = []] = Object.entries(errors?.fields ?? {})
      expect({ status, problem: `${field}: ${text}` }, problem).toEqual({
        status: 422,
        problem: expect.stringContaining(problem),
      })
    }
    expect(await jobs()).toBe(before)
    expect((await staff.get('/admin/imports?source=whmcs')).meta?.total).toBe(0)
  })
})

describe('a CSV', () => {
  it('ends where its quotation marks do not match, and what stands before is imported', async () => {
    const after = 'x'.repeat(200)
    for (const [broken, problem] of [
      ['3,"Gamma', 'line 4: has a quotation mark that is not closed'],
      ['3,"Gam"ma', 'line 4: has a quotation mark inside of a cell that is not doubled'],
    ] as const) {
      const done = await run(`external_id,name\r\n1,"Al\r\npha"\r\n${broken}\r\n4,Delta\r\n5,${after}`)
      expect(done).toMatchObject({ status: 'failed', problem, rows: 2, refused: 2 })
      expect(done.lines.map(({ line }: { line: number }) => line)).toEqual([2, 4])
    }
    const done = await run('external_id,name\n1,One\n2,"Tw')
    expect(done).toMatchObject({ status: 'failed', created: 1, refused: 1 })
    expect(done.lines[1]).toMatchObject({ line: 3, errors: { row: 'has a quotation mark that is not closed' } })
  })
  it('ends at a line without end, however long', async () => {
    const done = await run(`external_id,name\n1,One\n2,${'a'.repeat(3_000_000)}\n`)
    expect(done).toMatchObject({ status: 'failed', created: 1, refused: 1 })
    expect(done.lines[1]).toMatchObject({ line: 3, errors: { row: expect.stringContaining('1048576 bytes') } })
  })
  it('takes no memory for empty lines, and counts them', async () => {
    const empty = Buffer.alloc(65_536, '\n')
    const before = process.memoryUsage().heapUsed
    let most = 0
    async function* bytes() {
      for (let at = 0; at < 200; at++) {
        yield empty
        most = Math.max(most, process.memoryUsage().heapUsed - before)
      }
      yield Buffer.from('1,"a\r\n')
      yield Buffer.from('b"\r')
      yield Buffer.from('\n2,c')
    }
    const lines: number[][] = []
    for await (const { line, lastLine } of csvRecords(bytes(), ',', { position: 0, line: 0 }))
      lines.push([line, lastLine])
    const first = 200 * 65_536 + 1
    expect(lines).toEqual([
      [first, first + 1],
      [first + 2, first + 2],
    ])
    expect(most).toBeLessThan(150_000_000)
  })
  it('makes no record of a first line that comes again', async () => {
    const done = await run('external_id,name\n1,One\nexternal_id,name \n2,Two\n')
    expect(done.lines.map(({ errors }: { errors: unknown }) => errors)).toEqual([
      null,
      { row: 'repeats the names of the columns' },
      null,
    ])
  })
  it('has a wrong byte in one cell only', async () => {
    const file = Buffer.concat([
      Buffer.from('external_id,name,city\n1,S'),
      Buffer.from([0xe3]),
      Buffer.from('o,Bel\u00e9m\n2,Sul,\n'),
    ])
    const done = await run(file)
    expect(done.lines.map(({ errors }: { errors: unknown }) => errors)).toEqual([{ name: 'is not in utf-8' }, null])
  })
  it('may be separated by tabs, mix its line ends, and have line breaks inside', async () => {
    const done = await run('external_id\tname\tnotes\n1\tOne\t"a\n\nb"\r\n\r\n2\tTwo\tc\n')
    expect(done.lines.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome])).toEqual([
      [2, 'created'],
      [6, 'created'],
    ])
  })
  it('with NUL and hostile texts is stored, or refused with the field named', async () => {
    const done = await run(`external_id,name,notes\n1,A\u0000,\n2,\u202eB,\n3,'; drop table quotes; --,\n4,C,\u0000\n`)
    expect(done.lines.map(({ errors }: { errors: object }) => Object.keys(errors ?? {}))).toEqual([
      ['name'],
      ['name'],
      [],
      ['notes'],
    ])
  })
})

describe('NDJSON', () => {
  it('goes on behind a line that is no object, or too long', async () => {
    const lines = [
      '{"external_id":"1","name":"One"}',
      '{"external_id":',
      '[1]',
      'null',
      `{"external_id":"5","name":"${'a'.repeat(3_000_000)}"}`,
      `{"external_id":"6","name":${'['.repeat(100)}${']'.repeat(100)}}`,
      '{"external_id":"7","name":"A\\u0000"}',
      '{"external_id":"8","name":"Eight","__proto__":{"x":1}}',
      '{"external_id":9,"name":"Nine"}',
      '   ',
      '{"external_id":"11","name":"Eleven"}\r',
    ]
    const done = await run(`\ufeff${lines.join('\n')}`, { format: 'ndjson' })
    expect(done).toMatchObject({ status: 'completed', problem: null, rows: 10, created: 2, refused: 8 })
    const problems = done.lines.map(({ line, errors }: { line: number; errors: object }) => [
      line,
      Object.keys(errors ?? {}),
    ])
    expect(problems).toEqual([
      [1, []],
      [2, ['row']],
      [3, ['row']],
      [4, ['row']],
      [5, ['row']],
      [6, ['row']],
      [7, ['name']],
      [8, ['__proto__']],
      [9, ['external_id']],
      [11, []],
    ])
  })
})

describe('the report', () => {
  it('has a few of a thousand errors', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`${at}${'x'.repeat(500)}`, at]))
    const done = await run([{ external_id: '1', name: 'One', ...unknown }])
    const names = Object.keys(done.lines[0].errors)
    expect([names.length, Math.max(...names.map(({ length }) => length))]).toEqual([20, 200])
  })
})

describe('GET /admin/imports/{id}/report', () => {
  it('is a CSV in which nothing is run as a formula', async () => {
    const done = await run('external_id,name\n=1+1,One\n-2,\n', {})
    const { data } = await staff.get(`/admin/imports/${done.id}/report`)
    const [created] = done.lines
    expect(data.toString()).toBe(
      `\ufeffline,external_id,outcome,organization_id,resource_id,errors\r\n` +
        `2,'=1+1,created,${created.organization_id},${created.resource_id},\r\n3,'-2,refused,,,name: is required\r\n`,
    )
    const refused = await staff.get(`/admin/imports/${done.id}/report?outcome=refused`)
    expect(refused.data.toString().split('\r\n')).toHaveLength(3)
    expect((await staff.get('/admin/imports/999999/report')).status).toBe(404)
    expect((await staff.get('/admin/imports/999999/rows')).status).toBe(404)
    expect((await staff.get('/admin/imports/999999')).status).toBe(404)
  })
})

describe('the file store', () => {
  it('503 when it is away; an import whose file is gone fails', async () => {
    const { files } = app.service.ports
    const put = files.put.bind(files)
    files.put = () => Promise.reject(new FilesUnavailable('away'))
    try {
      expect((await sendImport(staff, kind, 'external_id,name\n')).status).toBe(503)
    } finally {
      files.put = put
    }
    const { data } = await sendImport(staff, kind, 'external_id,name\n1,One\n')
    const [stored] = await app.database.query<{ storage_key: string }>(
      'select storage_key from imports where id = $1',
      [data.id],
    )
    await files.remove(stored?.storage_key ?? '')
    await app.service.worker.drain()
    expect((await staff.get(`/admin/imports/${data.id}`)).data).toMatchObject({
      status: 'failed',
      problem: 'the file is gone',
    })
  })
})
