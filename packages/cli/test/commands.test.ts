// The names and the flags of all operations, without a service.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { argumentsOf } from '../src/arguments.ts'
import { commandsIn, index } from '../src/catalogue.ts'
import { flagOf, type Command, type Field } from '../src/command.ts'
import { fieldsOf, flagsWith, LEADING } from '../src/flags.ts'
import { OWN } from '../src/own-commands.ts'
import { inProcess } from './program.ts'

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>
}
const operations = Object.values(document.paths).flatMap((item) => Object.values(item))

const commands: Command[] = Object.keys(index().areas).flatMap(commandsIn)

const parse = (area: string, verb: string, args: readonly string[], stdin = '') =>
  argumentsOf(
    area,
    verb,
    args,
    async () => stdin,
    () => false,
  )
const bodyOf = async (area: string, verb: string, args: readonly string[], stdin = '') =>
  (await parse(area, verb, args, stdin)).parameters['body']

const FILE = import.meta.filename
const SAMPLES: Record<Field['kind'], string> = {
  text: '-é=1',
  any: 'true',
  integer: '7',
  number: '1.5',
  boolean: 'true',
  json: '{"a":[1]}',
  map: '{"a":"b"}',
  list: 'one',
  integers: '1,2',
  file: `@${FILE}`,
}
const sampleOf = ({ name, kind }: Field): string =>
  `--${flagOf(name).replaceAll('.N', '.0')}=${kind === 'json' && name.endsWith('s') ? '[]' : SAMPLES[kind]}`

const named = (id: string) => {
  const found = commands.find(({ operation }) => operation.id === id)
  return `${found?.area} ${found?.verb}`
}

describe('the commands', () => {
  it('are all operations, each with a name of its own', () => {
    expect(commands.map(({ operation }) => operation.id).toSorted()).toEqual(
      operations.map(({ operationId }) => operationId).toSorted(),
    )
    const names = commands.map(({ area, verb }) => `${area} ${verb}`)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)* [a-z]+(-[a-z]+)*$/)
    expect(Object.keys(index().areas).filter((area) => area in OWN)).toEqual([])
  })
  it('are called as people say', () => {
    const ids = 'listQuotes acceptQuote adminListQuotes createQuoteLink downloadInvoicePdf listEntitlementLicenses'
    const more = 'createOrganizationCollaborator adminListOrganizations createInvoiceCreditNote search createApiKey'
    expect(`${ids} ${more}`.split(' ').map(named)).toEqual([
      'quotes list',
      'quotes accept',
      'quotes admin-list',
      'quotes create-link',
      'invoices download-pdf',
      'licenses list-for-entitlement',
      'collaborators create',
      'admin list-organizations',
      'credit-notes create-for-invoice',
      'search search',
      'auth create-api-key',
    ])
  })
  it('have a help each, with all flags', async () => {
    for (const command of commands) {
      const { code, out, err } = await inProcess([command.area, command.verb, '--help'])
      expect([code, err]).toEqual([0, ''])
      expect(out).toContain(`Usage: titular ${command.area} ${command.verb}`)
      for (const { name } of fieldsOf(command)) expect(out).toContain(`--${flagOf(name)}`)
      for (const { name } of flagsWith(command)) expect(out).toContain(`--${name}`)
    }
    const areas = Object.keys(index().areas)
    for (const area of areas) {
      const { out } = await inProcess([area, '--help'])
      for (const { verb } of commandsIn(area)) expect(out).toContain(`  ${verb}`)
      expect(out).toContain(index().areas[area]?.about.split(' ')[0])
    }
    const { out } = await inProcess(['--help'])
    for (const name of [...areas, ...Object.keys(OWN)]) expect(out).toContain(`  ${name} `)
    for (const name of Object.keys(OWN)) expect((await inProcess(['help', name])).out).toContain(`titular ${name}`)
  })
  it('take each of their flags, and each once', async () => {
    let count = 0
    for (const command of commands) {
      const flags = [...fieldsOf(command), ...flagsWith(command)].map(({ name }) => flagOf(name))
      expect(new Set(flags).size, `${command.area} ${command.verb}: ${flags.join(' ')}`).toBe(flags.length)
      const required = [...command.query, ...command.body].filter((one) => one.required)
      const words = command.path.map((one) => (one.kind === 'integer' ? '7' : 'seven'))
      for (const field of fieldsOf(command)) {
        count++
        const others = required.filter(({ name }) => name !== field.name).map(sampleOf)
        const { parameters } = await parse(command.area, command.verb, [...words, ...others, sampleOf(field)])
        const top = /^\w+(\[[a-z]+\])?/.exec(field.name)?.[0] ?? ''
        const place = command.query.includes(field) ? parameters : parameters['body']
        expect(place, field.name).toHaveProperty([top])
      }
    }
    expect(count).toBeGreaterThan(2500)
  })
  it('may be given the flags of the program before the area, where a field has the same name', async () => {
    const clashing = commands.flatMap((command) =>
      fieldsOf(command).filter((one) => LEADING.some(({ name }) => name === flagOf(one.name))),
    )
    expect(new Set(clashing.map(({ name }) => name))).toEqual(
      new Set(['all', 'company', 'format', 'language', 'reason', 'url', 'version']),
    )
    const { out } = await inProcess(['quotes', 'reject', '--help'])
    expect(out).toContain('stand before "quotes"')
  })
})

describe('what is typed', () => {
  it('becomes parameters of the address, by their kind', async () => {
    const { parameters } = await parse('quotes', 'list', [
      '--status',
      'sent,viewed',
      '--status=paid',
      '--created_at.gte',
      '2026',
    ])
    expect(parameters).toEqual({ status: 'sent,viewed,paid', 'created_at[gte]': '2026' })
    expect((await parse('quotes', 'accept', ['12'])).parameters).toEqual({ id: 12 })
    expect((await parse('quotes', 'cancel', ['12', '--dry-run'])).parameters).toMatchObject({ dry_run: true })
  })
  it('becomes a body: nested fields, lists of records, empty ones, and the JSON below them', async () => {
    const line = [
      '--line-items.0.product-name',
      'Backup',
      '--line-items.1.quantity=2',
      '--currency=BRL',
      '--valid-until=2026-12-31',
    ]
    expect(await bodyOf('quotes', 'create', [...line, '--no-notes', '--metadata.cost_center', '4711'])).toEqual({
      currency: 'BRL',
      valid_until: '2026-12-31',
      line_items: [{ product_name: 'Backup' }, { quantity: 2 }],
      notes: null,
      metadata: { cost_center: '4711' },
    })
    const data = [
      '--data',
      '-',
      '--line-items.0.quantity=3',
      '--line-items.0.is-optional',
      '--no-line-items.0.is-chosen',
    ]
    expect(await bodyOf('quotes', 'create', data, '{"line_items":[{"product_id":1}],"notes":"x"}')).toEqual({
      line_items: [{ product_id: 1, quantity: 3, is_optional: true, is_chosen: false }],
      notes: 'x',
    })
    expect(await bodyOf('quotes', 'accept', ['12'])).toBeUndefined()
    expect(
      await bodyOf('quotes', 'accept', ['12', '--line-items.0.is-chosen=false', '--line-items.0.index=0']),
    ).toEqual({
      line_items: [{ is_chosen: false, index: 0 }],
    })
  })
  it('cannot reach what objects inherit', async () => {
    await bodyOf('quotes', 'accept', ['12', '--data', '{"__proto__":{"polluted":true}}'])
    const metadata = ['--metadata.__proto__.polluted', 'x', '--metadata.constructor', 'y']
    await bodyOf('quotes', 'create', ['--currency=BRL', '--valid-until=x', '--line-items=[]', ...metadata])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    expect((await inProcess(['constructor', 'list'])).code).toBe(2)
    expect((await inProcess(['toString'])).code).toBe(2)
  })
  it.each([
    [['quotse', 'list'], 'There is no command "quotse"; did you mean "quotes"?'],
    [['quotes', 'acept', '1'], 'quotes has no command "acept"; did you mean "accept"'],
    [['quotes', 'list', '--staus', 'x'], 'There is no flag --staus; did you mean "status"'],
    [['quotes', 'get'], 'quotes get needs <id>'],
    [['quotes', 'get', 'x'], '<id> takes a whole number, not "x"'],
    [['quotes', 'get', '1', '2'], '"2" is one word too many'],
    [['quotes', 'create', '--currency', 'BRL'], 'quotes create needs --valid-until, --line-items'],
    [['quotes', 'list', '--per-page', 'many'], '--per-page takes a whole number'],
    [['quotes', 'create', '--line-items', '{'], '--line-items takes JSON'],
    [['quotes', 'create', '--data', '@/nowhere'], 'There is no file /nowhere'],
    [['documents', 'create', '--file', '/nowhere'], 'There is no file /nowhere'],
    [['quotes', 'list', '--data', '{}'], 'There is no flag --data'],
    [['quotes', 'list', '--format', 'yaml', '--url', 'http://127.0.0.1:1'], '--format is one of table'],
    [['quotes', 'list', '--organization', 'x', '--url', 'http://127.0.0.1:1'], 'An organization is a number'],
    [['quotes', 'list', '--url', 'ftp://x'], 'is no address of a service'],
    [['quotes', 'list'], 'Where is the service?'],
    [['quotes', 'list', '--profile', 'nobody'], 'There is no profile "nobody"'],
    [['quotes', 'list', '--profile', '../x'], 'cannot be the name of a profile'],
    [['quotes', 'list', '--status'], 'argument missing'],
    [['listen', '--url', 'http://127.0.0.1:1'], 'listen needs --forward'],
    [['completion', 'tcsh'], 'completion bash'],
    [['--formta', 'csv', 'quotes'], 'There is no flag --formta; did you mean "format"'],
  ])('%j is refused before anything is sent: %s', async (args, words) => {
    const { code, out, err } = await inProcess(args, { env: { XDG_CONFIG_HOME: '/nowhere' } })
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(words)
    expect(err).toMatch(/See titular .*--help/)
  })
  it('is asked for only where help is not wanted', async () => {
    expect((await inProcess(['quotes', 'create', '--help'])).code).toBe(0)
    expect((await inProcess(['quotes', 'get', '-h'])).out).toContain('quotes get <id>')
    expect((await inProcess(['--version'])).out).toBe(`${index().version}\n`)
  })
})
