// The reasons of refusals: each is declared once and given somewhere, and each answer that has one leads to its
// explanation.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '#kernel/values/errors.ts'
import { REASONS } from '#kernel/values/reasons.ts'
import { appOfFile } from '#test/harness/app.ts'
import { MODULES, reasons } from '../../src/modules.ts'

const root = join(import.meta.dirname, '../..')
/** Where reasons are declared, from the top floor down. */
const FLOORS = [
  ...MODULES.map(({ name, reasons: own }) => ({ files: `src/modules/${name}/**/*.ts`, names: Object.keys(own) })),
  { files: 'src/{kernel,http}/**/*.ts', names: Object.keys(REASONS) },
]

const app = await appOfFile()
const acme = await app.world.organization()

const page = async (url = '/docs/errors') => (await app.service.app.inject(url)).body

describe('a reason', () => {
  it('is declared once', () => {
    const declared = FLOORS.flatMap(({ names }) => names)
    expect(declared.filter((name, at) => declared.indexOf(name) !== at)).toEqual([])
  })

  it('is declared on the lowest floor that refuses for it', () => {
    const texts = FLOORS.map(({ files }) =>
      globSync(files, { cwd: root })
        .filter((file) => !/(\.test|reasons|envelope)\.ts$|openapi/.test(file))
        .map((file) => readFileSync(join(root, file), 'utf8'))
        .join('\n'),
    )
    const lowest = (name: string) => texts.findLastIndex((text) => text.includes(`'${name}'`))
    expect(FLOORS.flatMap(({ names }, floor) => names.filter((name) => lowest(name) !== floor))).toEqual([
      // The log of requests tells it from others.
      'sso_refused',
    ])
  })

  it('is explained on the page, like every code', async () => {
    const shown = await page()
    expect([...ERROR_CODES, ...Object.keys(reasons)].filter((name) => !shown.includes(`id="${name}"`))).toEqual([])
    expect(Object.keys(reasons).length).toBeGreaterThan(90)
  })
})

describe('a refusal with a reason', () => {
  it('409 leads to its explanation', async () => {
    const { errors } = await acme.owner.post(`/organizations/${acme.id}/collaborators`, {
      email: acme.owner.email,
      role: 'member',
    })
    expect(errors).toMatchObject({ code: 'CONFLICT', reason: 'already_member' })
    const url = new URL(String(errors?.docs_url))
    expect(await page(url.pathname)).toContain(`id="${url.hash.slice(1)}"`)
  })

  it('403 tells a scope that is missing from a role that is too low', async () => {
    const member = await acme.member({ scopes: ['tickets'] })
    expect((await member.get('/quotes')).errors).toMatchObject({ reason: 'scope_missing' })
    expect((await member.post('/quotes', {})).errors).toMatchObject({ reason: 'staff_only' })
  })

  it('an error without one has no link', async () => {
    expect((await acme.owner.get('/quotes/999999')).errors).toEqual({ code: 'NOT_FOUND' })
  })
})
