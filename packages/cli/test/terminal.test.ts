// What people see: tables, questions, and nothing that a record could do to their terminal.
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { sentQuote } from '../../../test/scenes/commerce.ts'
import { PASSWORD, secondFactorScene } from '../../../test/scenes/second-factor.ts'
import { visible } from '../src/console.ts'
import { columnsOf, head, layout, line } from '../src/output/table.ts'
import { cut, widthOf, wrap } from '../src/output/text.ts'
import { ask } from '../src/prompt.ts'
import { as } from './caller.ts'
import { atTerminal, home, inProcess } from './program.ts'

const app = await appOfFile({ listens: true, environment: { STEP_UP_MINUTES: '15' } })
const acme = await app.world.organization()
const owner = as(app, acme.owner, acme)
const { registered, enrolled } = secondFactorScene(app)

const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b31m\r\u202eevil\u2066 😀 日本 é'
/** Bold and dim are the program's own. */
// oxlint-disable-next-line no-control-regex -- what is looked for
const OWN_STYLES = /\u001b\[(1|22|2)m/g
const shown = (text: string): string[] => text.replaceAll(OWN_STYLES, '').split('\r\n')

describe('a table', () => {
  it('is as wide as the terminal, with money at the right, and is plain with NO_COLOR', async () => {
    await sentQuote(acme)
    const id = await sentQuote(acme)
    const { code, out } = await atTerminal(['quotes', 'list', '--per-page', '1'], owner, [], 60)
    expect([code, out]).toEqual([0, expect.stringContaining('\u001b[1m')])
    const [names = '', row = '', note = ''] = shown(out)
    expect(names).toMatch(/^( *)ID +NUMBER +STATUS +TOTAL +CURRENCY/)
    expect(row).toMatch(new RegExp(`^ *${id} +Q-`))
    expect(row.indexOf('.') + 3).toBe(names.indexOf('TOTAL') + 'TOTAL'.length)
    expect(Math.max(names.length, row.length)).toBeLessThanOrEqual(60)
    expect(note).toBe('1 of 2; --all for all')
    const wide = shown((await atTerminal(['quotes', 'list'], owner, [], 200)).out)
    expect(wide[0]?.length).toBeGreaterThan(names.length)
    const plain = await atTerminal(['quotes', 'list'], { ...owner, NO_COLOR: '1' })
    expect(plain.out).not.toContain('\u001b')
    const json = await atTerminal(['quotes', 'list', '--format', 'json'], owner)
    expect(JSON.parse(json.out)).toHaveLength(2)
  })
  it('says that there is nothing', async () => {
    expect(shown((await atTerminal(['contracts', 'list'], owner)).out)).toEqual(['Nothing.', ''])
  })
  it('fits emoji, wide signs and accents', () => {
    const records = [
      { name: '👩‍👩‍👧‍👦 família', total: '1.00' },
      { name: '日本語', total: '1000.00' },
      { name: 'e\u0301 á', total: null },
    ]
    const look = { width: 80, hasColor: false }
    const columns = layout(records, null, look)
    expect(columns.map(({ name }) => name)).toEqual(['name', 'total'])
    const rows = [head(columns, look), ...records.map((one) => line(columns, one))]
    expect(rows).toEqual(['NAME          TOTAL\n', '👩‍👩‍👧‍👦 família     1.00\n', '日本語      1000.00\n', 'e\u0301 á\n'])
    expect([cut('日本語です', 5), cut('👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3), cut('abc', 3), cut('abcd', 3)]).toEqual([
      '日本…',
      '👩‍👩‍👧‍👦…',
      'abc',
      'ab…',
    ])
    expect([widthOf('👍🏽'), widthOf('🇧🇷'), widthOf('')]).toEqual([2, 2, 0])
    expect(wrap('one two three', 7, '> ')).toBe('one two\n> three')
  })
  it('leaves out what is empty, and has the fields of an object', () => {
    const records = [{ notes: null, metadata: {}, customer: { name: 'Acme' }, tags: [], id: 1, lines: [{ a: 1 }] }]
    expect(columnsOf(records)).toEqual(['id', 'customer.name'])
  })
})

describe('what others wrote', () => {
  it('does nothing to the terminal, in a table, a record, JSON, CSV or an error', async () => {
    const id = await sentQuote(acme)
    await app.database.query('update quotes set notes = $2 where id = $1', [id, HOSTILE])
    const { data } = await acme.owner.get(`/quotes/${id}`)
    expect(data.notes).toBe(HOSTILE)
    const answers = await Promise.all(
      ['table', 'json', 'ndjson', 'csv'].map((format) =>
        atTerminal(['quotes', 'get', `${id}`, '--format', format], owner),
      ),
    )
    for (const { code, out } of answers) {
      expect(code).toBe(0)
      expect(out.replaceAll(OWN_STYLES, '').replaceAll(/\r+\n/g, '\n')).not.toMatch(/[^\P{Cc}\n\t]|[\u202e\u2066]/u)
      expect(out).toContain('evil')
      expect(out).toContain('😀 日本 é')
    }
    expect(JSON.parse((await inProcess(['quotes', 'get', `${id}`], { env: owner })).out).notes).toBe(HOSTILE)
    const { err } = await inProcess([HOSTILE], { terminal: { columns: 80 } })
    expect(err).toContain('\\u001b]0;owned\\u0007')
    expect(err).not.toContain('\u001b')
  })
  it('keeps line breaks and tabs, where a text may have them', () => {
    expect(visible('a\n\tb')).toBe('a\n\tb')
    expect(visible('\ud800')).toBe('\\ud800')
  })
})

describe('titular login at a terminal', () => {
  it('asks for what is missing, and shows nothing of the password', async () => {
    const { email } = await registered()
    const env = home()
    const { code, out } = await atTerminal(['login'], env, [
      ['Address of the service: ', `${app.url}\r`],
      ['E-mail: ', `${email}\r`],
      ['Password: ', `${PASSWORD}\r`],
    ])
    expect([code, out]).toEqual([0, expect.stringContaining(`as ${email}; profile "default"`)])
    expect(out).not.toContain(PASSWORD)
    expect((await inProcess(['whoami'], { env })).out).toContain(email)
  })
  it('asks for the code of the app, and is told of a wrong password', async () => {
    const { email, code } = await enrolled()
    const env = { ...home(), TITULAR_URL: app.url }
    const typed = code()
    const first = await atTerminal(['login', '--email', email], env, [
      ['Password: ', `${PASSWORD}\r`],
      ['Code of your authenticator app: ', `${typed}\r`],
    ])
    expect([first.code, first.out]).toEqual([0, expect.stringContaining('Signed in')])
    const wrong = await atTerminal(['login', '--email', email], env, [['Password: ', 'wrong\r']])
    expect([wrong.code, wrong.out]).toEqual([3, expect.stringContaining('401 AUTHENTICATION_ERROR')])
  })
  it('shows a sentence of the service in a question as text', async () => {
    const [input, err] = [new PassThrough(), new PassThrough()]
    const console = { in: input, out: new PassThrough(), err, env: {}, signal: new AbortController().signal }
    const answer = ask(console, `${HOSTILE}: `, { isHidden: true })
    input.end('123456\n')
    expect(await answer).toBe('123456')
    expect(String(err.read())).toBe(`${visible(HOSTILE)}: \n`)
  })
  it('ends with 130 by Ctrl-C at a question, and leaves no profile', async () => {
    const env = home()
    const { code } = await atTerminal(['login', '--url', app.url, '--email', 'x@y.example'], env, [
      ['Password: ', '\u0003'],
    ])
    expect(code).toBe(130)
    expect(JSON.parse((await inProcess(['profile', 'list'], { env })).out)).toEqual([])
  })
  it('asks for a proof where an act needs a fresh one', async () => {
    const { email } = await registered()
    const env = { ...home(), TITULAR_URL: app.url }
    await atTerminal(['login', '--email', email], env, [['Password: ', `${PASSWORD}\r`]])
    const made = JSON.parse((await inProcess(['organizations', 'create', '--name', 'Padaria'], { env })).out)
    app.clock.advance(16 * 60)
    const args = ['auth', 'create-api-key', '--name', 'ERP', '--organization', String(made.id)]
    const alone = await inProcess(args, { env })
    expect([alone.code, alone.err]).toEqual([4, expect.stringContaining('step_up_required')])
    const { code, out } = await atTerminal(args, env, [['or password: ', `${PASSWORD}\r`]])
    expect([code, out]).toEqual([0, expect.stringContaining('consumer_secret')])
    expect(out).not.toContain(PASSWORD)
  })
})
