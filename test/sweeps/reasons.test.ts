// The reasons of refusals: each is given somewhere, and each answer that has one leads to its explanation.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '#kernel/values/errors.ts'
import { REASON_NAMES } from '#kernel/values/reasons.ts'
import { appOfFile } from '#test/harness/app.ts'

const root = join(import.meta.dirname, '../..')

const app = await appOfFile()
const acme = await app.world.organization()

const page = async (url = '/docs/errors') => (await app.service.app.inject(url)).body

describe('a reason', () => {
  it('is given by some refusal', () => {
    const sources = globSync('src/**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('reasons.ts') && !file.includes('openapi'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
    expect(REASON_NAMES.filter((name) => !sources.some((source) => source.includes(`'${name}'`)))).toEqual([])
  })

  it('is explained on the page, like every code', async () => {
    const shown = await page()
    expect([...ERROR_CODES, ...REASON_NAMES].filter((name) => !shown.includes(`id="${name}"`))).toEqual([])
    expect(REASON_NAMES.length).toBeGreaterThan(90)
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
