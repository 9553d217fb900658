// Calls to a listening service: what goes out, what is written, and the exit codes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { freePort } from '../../../test/harness/process.ts'
import { sentQuote } from '../../../test/scenes/commerce.ts'
import { savedAs } from '../src/perform.ts'
import { as } from './caller.ts'
import { inProcess, shell, start, titular } from './program.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()
const owner = as(app, acme.owner, acme)
const staff = as(app, acme.staff, acme)
const folder = mkdtempSync(join(tmpdir(), 'titular-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const call = (...args: string[]) => inProcess(args, { env: owner })
const jsonOf = async (...args: string[]) => {
  const { code, out, err } = await call(...args)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

describe('an answer in a pipe', () => {
  it('is JSON: a list, a record, no list at all', async () => {
    const id = await sentQuote(acme)
    expect(await jsonOf('quotes', 'list', '--status', 'sent,viewed')).toMatchObject([{ id, status: 'sent' }])
    expect(await jsonOf('quotes', 'get', String(id))).toMatchObject({ id, status: 'viewed' })
    expect(await jsonOf('contracts', 'list')).toEqual([])
    const { out } = await titular(['quotes', 'list'], owner)
    expect(JSON.parse(out)).toMatchObject([{ id }])
  })
  it('is CSV or a line for each record on request, with the columns that are asked for', async () => {
    const id = await sentQuote(acme, { notes: '=1+1, "x"\nnext' })
    const columns = ['--columns', 'id,notes,line_items']
    const { out } = await call('quotes', 'list', '--format', 'ndjson', '--columns', 'id,line_items', '--per-page=1')
    expect(JSON.parse(out)).toMatchObject({ id, line_items: [{ quantity: expect.any(Number) }] })
    const csv = (await call('quotes', 'get', String(id), '--format=csv', ...columns)).out
    expect(csv).toMatch(new RegExp(`^id,notes,line_items\r\n${id},"'=1\\+1, ""x""\nnext","\\[\\{`))
    expect((await call('contracts', 'list', '--format=csv')).out).toBe('')
    expect((await call('contracts', 'list', '--format=csv', '--columns=id,title')).out).toBe('id,title\r\n')
    const table = (await call('quotes', 'list', '--format', 'table')).out.split('\n')
    expect(table[0]).toMatch(/^ *ID +NUMBER +STATUS +TOTAL +CURRENCY/)
  })
  it('has all pages with --all, as they come', async () => {
    const org = await app.world.organization()
    const rows = 250
    await app.database.query(
      `insert into tickets (organization_id, number, title, description, status, priority, created_by, created_at,
                            updated_at)
       select $1, 'SR-2026' || lpad(n::text, 4, '0'), 'Title ' || n, 'x', 'open', 'normal', $2, $3, $3
         from generate_series(1, ${rows}) n`,
      [org.id, org.owner.userId, app.clock.now],
    )
    const env = as(app, org.owner, org)
    const all = await inProcess(['tickets', 'list', '--all', '--columns', 'title'], { env })
    expect(JSON.parse(all.out)).toHaveLength(rows)
    const csv = await inProcess(['tickets', 'list', '--all', '--format', 'csv', '--columns', 'title'], { env })
    expect(csv.out.trim().split('\r\n')).toHaveLength(rows + 1)
    // `head` leaves after the first line.
    const cut = await shell(
      'titular tickets list --all --format ndjson --columns title | head -1; echo ${PIPESTATUS[0]}',
      env,
    )
    expect([cut.out, cut.err]).toEqual([expect.stringMatching(/^\{"title":"Title \d+"\}\n0\n$/), ''])
  })
  it('says what belongs to it on the error output', async () => {
    const id = await sentQuote(acme)
    const { out, err } = await call('quotes', 'get', String(id), '--verbose')
    expect(JSON.parse(out).id).toBe(id)
    expect(err).toMatch(/^status 200\netag (W\/)?".+"\nrequest [\w-]+\nreplayed false\n$/)
  })
})

describe('a change', () => {
  it('is made by flags, by a file, and by the standard input', async () => {
    const id = await sentQuote(acme)
    expect(await jsonOf('quotes', 'accept', String(id), '--purchase-order', 'PO-1')).toMatchObject({
      status: 'accepted',
    })
    const line = [
      '--line-items.0.product-name=Backup 😀',
      '--line-items.0.quantity=2',
      '--line-items.0.unit-price=10.00',
    ]
    const flags = [...line, '--line-items.0.entitlement-class=SVC', '--currency=BRL', '--valid-until=2099-12-31']
    const made = await inProcess(['quotes', 'create', ...flags, '--company=entity_br'], { env: staff })
    expect([made.err, JSON.parse(made.out)]).toEqual(['', expect.objectContaining({ status: 'draft', total: '20.00' })])
    const file = join(folder, 'quote.json')
    writeFileSync(file, JSON.stringify({ currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31' }))
    const sold = { product_name: 'A', quantity: 1, unit_price: '5.00', entitlement_class: 'SVC' }
    const lines = `--line-items=${JSON.stringify([sold])}`
    const other = await inProcess(['quotes', 'create', '--data', `@${file}`, lines], { env: staff })
    expect(JSON.parse(other.out)).toMatchObject({ total: '5.00' })
    const again = await titular(
      ['quotes', 'update', String(JSON.parse(other.out).id), '--data', '-'],
      staff,
      '{"notes":"ü"}',
    )
    expect(JSON.parse(again.out)).toMatchObject({ notes: 'ü' })
  })
  it('happens once with an idempotency key, as it was seen with --if-match, never with --dry-run', async () => {
    const id = String(await sentQuote(acme))
    expect((await inProcess(['quotes', 'cancel', id, '--dry-run'], { env: staff })).code).toBe(0)
    expect((await jsonOf('quotes', 'get', id)).status).toBe('viewed')
    const stale = await call('quotes', 'accept', id, '--if-match', '"stale"')
    expect([stale.code, stale.err]).toEqual([6, expect.stringContaining('412 PRECONDITION_FAILED')])
    const first = await jsonOf('quotes', 'accept', id, '--idempotency-key', `key-${id}`)
    const twice = await call('quotes', 'accept', id, '--idempotency-key', `key-${id}`, '--verbose')
    expect([JSON.parse(twice.out), twice.err]).toEqual([first, expect.stringContaining('replayed true')])
  })
  it('has its reason in the audit log, before the area where the command has a reason of its own', async () => {
    const id = String(await sentQuote(acme))
    const env = { ...staff }
    await inProcess(['--reason', 'Ligação de 10:00 – 100 %', 'quotes', 'reject', id, '--reason', 'Too dear'], { env })
    const { data } = await acme.staff.get(`/audit-log?per_page=5`)
    expect(data.map((one: { reason: string | null }) => one.reason)).toContain('Ligação de 10:00 – 100 %')
    expect((await acme.owner.get(`/quotes/${id}`)).data.rejection_reason).toBe('Too dear')
  })
})

describe('files', () => {
  it('go up and come down, whole or not at all', async () => {
    const path = join(folder, 'Plano 😀.txt')
    const content = 'Olá\n'.repeat(50_000)
    writeFileSync(path, content)
    const { id } = await jsonOf('documents', 'create', '--file', path, '--category', 'technical')
    const piped = await titular(['documents', 'download', String(id)], owner)
    expect(piped.out).toBe(content)
    const saved = join(folder, 'copy.txt')
    expect((await call('documents', 'download', String(id), '--output', saved)).err).toContain(`Saved ${saved}`)
    expect(readFileSync(saved, 'utf8')).toBe(content)
    const { code, err } = await call('documents', 'download', '999999', '--output', join(folder, 'none.txt'))
    expect([code, err]).toEqual([5, expect.stringContaining('404 NOT_FOUND')])
    expect(() => readFileSync(join(folder, 'none.txt'))).toThrow('ENOENT')
  })
  it('get no name that a shell would read', () => {
    const given = ['.zshenv', '..', '. .bashrc', '/home/x/.profile', 'a.b.pdf', '', null]
    expect(given.map(savedAs)).toEqual(['zshenv', 'file', 'bashrc', 'profile', 'a.b.pdf', 'file', 'file'])
  })
  it('come of reports in the format that is asked for', async () => {
    const pdf = await call('quotes', 'download-pdf', String((await draftOf()).id))
    expect(pdf.out.slice(0, 5)).toBe('%PDF-')
    const { code, out } = await call('reports', 'get-receivables', '--format', 'csv')
    expect([code, out.split(/[,;]/).length > 3]).toEqual([0, true])
  })
})

const draftOf = async () => ({ id: await sentQuote(acme) })

const sentenceIn = async (env: object, ...flags: string[]) =>
  (await inProcess(['quotes', 'get', '999999', ...flags], { env: { ...owner, ...env } })).err.split('\n')[0]

describe('what goes wrong', () => {
  it('has an exit code of its own, and says why on the error output', async () => {
    const id = String(await sentQuote(acme))
    await jsonOf('quotes', 'accept', id)
    const member = await acme.member({ scopes: ['tickets'] })
    const codes: [env: object, args: string[], code: number, words: RegExp][] = [
      [owner, ['quotes', 'list'], 0, /^$/],
      [{ ...owner, TITULAR_ORGANIZATION: '' }, ['quotes', 'list'], 2, /400/],
      [
        { ...owner, TITULAR_TOKEN: 'wrong' },
        ['quotes', 'list'],
        3,
        /401 AUTHENTICATION_ERROR.*\n +titular login signs in/,
      ],
      [{ ...owner, TITULAR_TOKEN: '' }, ['quotes', 'list'], 3, /401/],
      [as(app, member, acme), ['quotes', 'list'], 4, /403 AUTHORIZATION_ERROR.*\n +missing: .*quotes/],
      [owner, ['quotes', 'get', '999999'], 5, /404 NOT_FOUND\)\n(.*\n)* +request [\w-]+/],
      [owner, ['quotes', 'accept', id], 6, /409 CONFLICT \w+\)\n(.*\n)* +see http/],
      [owner, ['tickets', 'create', '--data', '{"title":""}'], 7, /422 VALIDATION_ERROR\)\n(.*\n)* +title: /],
      [
        { ...owner, TITULAR_URL: `http://127.0.0.1:${await freePort()}` },
        ['invites', 'accept', '--token=x'],
        9,
        /ECONNREFUSED/,
      ],
    ]
    for (const [env, args, code, words] of codes) {
      const ended = await inProcess(args, { env: env as Record<string, string> })
      expect([args, ended.code, ended.err]).toEqual([args, code, expect.stringMatching(words)])
      if (code !== 0) expect(ended.out).toBe('')
    }
    expect((await titular(['quotes', 'get', '999999'], owner)).code).toBe(5)
  })
  it('is told in the language of the caller: by the flag, the environment, or the system', async () => {
    const portuguese = await sentenceIn({}, '--language', 'pt-BR')
    expect(portuguese).not.toBe(await sentenceIn({}))
    expect(await sentenceIn({ TITULAR_LANGUAGE: 'pt-BR' })).toBe(portuguese)
    expect(await sentenceIn({ LANG: 'pt_BR.UTF-8' })).toBe(portuguese)
    expect(await sentenceIn({ LANG: 'pt_BR.UTF-8' }, '--language=en')).toBe(await sentenceIn({}))
  })
  it('is 8 where there are too many requests or the service is not there for now, 1 where it failed', async () => {
    const server = createServer((request, response) => {
      const status = Number(request.url?.split('/').at(-1)) - 1000
      response.writeHead(status, { 'retry-after': '99' }).end('<html>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const env = { ...owner, TITULAR_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }
    const codeFor = async (status: number) => (await inProcess(['quotes', 'get', String(status + 1000)], { env })).code
    expect(await Promise.all([429, 502, 503, 504, 500, 418].map(codeFor))).toEqual([8, 8, 8, 8, 1, 1])
    expect((await inProcess(['quotes', 'get', '1429'], { env })).err).toContain('try again in 99 s')
    server.close()
  })
  it('ends at once with 130 when the person presses Ctrl-C', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const waiting = await start(['quotes', 'list'], { ...owner, TITULAR_URL: url })
    await once(server, 'request')
    waiting.child.kill('SIGINT')
    expect(await waiting.ended).toEqual({ code: 130, out: '', err: '' })
    server.closeAllConnections()
    server.close()
  })
})

it('credentials of the environment do without a person, and never go to another service with a profile', async () => {
  const made = await acme.owner.post('/auth/api-keys', { name: 'ERP', scopes: ['quotes'] })
  expect(made.status, made.raw.body).toBe(201)
  const key = { TITULAR_URL: app.url, TITULAR_KEY: made.data.consumer_key, TITULAR_SECRET: made.data.consumer_secret }
  expect((await inProcess(['quotes', 'list'], { env: key })).code).toBe(0)
  const half = await inProcess(['quotes', 'list'], { env: { ...key, TITULAR_SECRET: undefined } })
  expect([half.code, half.err]).toEqual([2, expect.stringContaining('belong together')])
})
