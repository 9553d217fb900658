// Clients generated from the OpenAPI document compile in strict mode, and a small program with them
// uses a running service without a secret in any URL.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { apiKey } from '#test/scenes/records.ts'
import type { Organization } from '#test/harness/world.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name)

const COMPILER = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitReturns: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    skipLibCheck: false,
  },
  include: ['*.ts', 'client/**/*.ts'],
}

/** The start of both programs: credentials, and a fetch that records each URL. */
const PROLOGUE = `
const { BASE, TOKEN, ORG, KEY, SECRET } = process.env as Record<'BASE' | 'TOKEN' | 'ORG' | 'KEY' | 'SECRET', string>
const organization = Number(ORG)
const urls: string[] = []
const noting = (async (input: Request) => {
  urls.push(input.url)
  return fetch(input)
}) as typeof fetch
const basic = 'Basic ' + btoa(KEY + ':' + SECRET)
const done = (result: object) => console.log(JSON.stringify({ ...result, urls }))
`

const HEY_API = `
import { createClient } from './client/client/index.ts'
import { getOrganization, listQuotes, type OrganizationStatus } from './client/index.ts'
${PROLOGUE}
const asUser = createClient({
  baseUrl: BASE,
  fetch: noting,
  auth: ({ scheme }) => (scheme === 'bearer' ? TOKEN : undefined),
})
const asKey = createClient({
  baseUrl: BASE,
  fetch: noting,
  auth: ({ scheme }) => (scheme === 'basic' ? KEY + ':' + SECRET : undefined),
})
const headers = { 'X-Service-Organization': organization }
const found = await getOrganization({ client: asUser, path: { id: organization }, headers })
const status: OrganizationStatus | undefined = found.data?.data.status
const quotes = await listQuotes({ client: asKey, query: { per_page: 5, status: ['sent', 'viewed'] } })
const total: number | null | undefined = quotes.data?.meta.total
const refused = await listQuotes({ client: asUser, headers, query: { per_page: 500 } })
const fields: Record<string, string> | undefined = refused.error?.errors.fields
done({ status, total, fields })
`

const OPENAPI_FETCH = `
import createClient from 'openapi-fetch'
import type { components, paths } from './schema.ts'
${PROLOGUE}
const client = createClient<paths>({ baseUrl: BASE, fetch: noting })
const header = { 'X-Service-Organization': organization }
const asUser = { authorization: 'Bearer ' + TOKEN }
const found = await client.GET('/organizations/{id}', { params: { path: { id: organization }, header }, headers: asUser })
const status: components['schemas']['OrganizationStatus'] | undefined = found.data?.data.status
const quotes = await client.GET('/quotes', {
  params: { query: { per_page: 5, status: ['sent', 'viewed'] } },
  headers: { authorization: basic },
})
const total: number | null | undefined = quotes.data?.meta.total
const refused = await client.GET('/quotes', { params: { header, query: { per_page: 500 } }, headers: asUser })
const fields: Record<string, string> | undefined = refused.error?.errors.fields
done({ status, total, fields })
`

let app: TestApp
let acme: Organization
let directory: string
beforeAll(async () => {
  app = await startApp({ listens: true })
  acme = await app.world.organization()
  directory = await mkdtemp(join(tmpdir(), 'titular-clients-'))
})
afterAll(async () => {
  await rm(directory, { recursive: true, force: true })
  await app.close()
})

/** A separate project with the OpenAPI document of the service. */
async function project(name: string, program: string): Promise<string> {
  const at = join(directory, name)
  await mkdir(at)
  await symlink(join(ROOT, 'node_modules'), join(at, 'node_modules'))
  await writeFile(join(at, 'openapi.json'), await (await fetch(`${app.url}/api/v1/openapi.json`)).text())
  await writeFile(join(at, 'package.json'), '{ "type": "module" }')
  await writeFile(join(at, 'tsconfig.json'), JSON.stringify(COMPILER))
  await writeFile(join(at, 'program.ts'), program)
  return at
}

async function compiled(at: string): Promise<string> {
  return run(bin('tsc'), ['-p', at]).then(
    () => 'compiles',
    (error: { stdout: string }) => error.stdout.slice(0, 4000),
  )
}

async function said(at: string): Promise<{ status: string; total: number; fields: object; urls: string[] }> {
  const { consumer_key: KEY = '', consumer_secret: SECRET = '' } = await keyPair()
  const { stdout } = await run(process.execPath, [join(at, 'program.ts')], {
    env: { ...process.env, BASE: `${app.url}/api/v1`, TOKEN: acme.owner.token, ORG: String(acme.id), KEY, SECRET },
  })
  return JSON.parse(stdout)
}

async function keyPair(): Promise<{ consumer_key?: string; consumer_secret?: string }> {
  const { authorization = '' } = await apiKey(app, acme, { permission: 'read', scopes: ['quotes'] })
  const [consumer_key, consumer_secret] = Buffer.from(authorization.slice(6), 'base64').toString().split(':')
  return { ...(consumer_key && { consumer_key }), ...(consumer_secret && { consumer_secret }) }
}

function expectSaid({ status, total, fields, urls }: Awaited<ReturnType<typeof said>>): void {
  expect({ status, total, fields: Object.keys(fields) }).toEqual({ status: 'publish', total: 0, fields: ['per_page'] })
  expect(urls).toHaveLength(3)
  for (const url of urls) expect(url).not.toMatch(/consumer_|c[ks]_|token|nonce/i)
}

const GENERATING_MS = 120_000

describe('a client generated by @hey-api/openapi-ts', () => {
  it(
    'compiles in strict mode, and its program runs',
    async () => {
      const at = await project('hey-api', HEY_API)
      const config = {
        input: './openapi.json',
        output: { path: './client', module: { extension: '.ts' } },
        plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
        logs: { level: 'silent' },
      }
      await writeFile(join(at, 'openapi-ts.config.mjs'), `export default ${JSON.stringify(config)}`)
      await run(bin('openapi-ts'), ['--file', 'openapi-ts.config.mjs'], { cwd: at })
      const sdk = await readFile(join(at, 'client/sdk.gen.ts'), 'utf8')
      expect(sdk).toMatch(/export const acceptQuote = /)
      expect(sdk).not.toMatch(/consumer_/)
      expect(await compiled(at)).toBe('compiles')
      expectSaid(await said(at))
    },
    GENERATING_MS,
  )
})

describe('a client generated by openapi-typescript', () => {
  it(
    'compiles in strict mode, and its program runs',
    async () => {
      const at = await project('openapi-typescript', OPENAPI_FETCH)
      await run(bin('openapi-typescript'), ['openapi.json', '--output', 'schema.ts'], { cwd: at })
      expect(await readFile(join(at, 'schema.ts'), 'utf8')).toMatch(/acceptQuote: \{/)
      expect(await compiled(at)).toBe('compiles')
      expectSaid(await said(at))
    },
    GENERATING_MS,
  )
})
