// GET /app: the console's page with a policy of its own, its hashed files, and whom it offers to sign in as.
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEMO_SIGN_INS } from '../../demo/sign-ins.ts'
import { textsIn } from '../../texts/catalogue.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { VENDOR_IDENTITY } from '#test/scenes/vendor-identity.ts'

const SCRIPT = 'console.log("console")'
const HTML =
  '<head><meta name="style-nonce" content="STYLE_NONCE" /><!-- DEMO --></head><script src="/app/assets/index-a1.js">'
const FILE = '/app/assets/index-a1.js'

/** As the build makes it, with what must not be served beside it. */
async function builtConsole(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'titular-console-'))
  await mkdir(join(directory, 'assets'))
  await writeFile(join(directory, 'index.html'), HTML)
  await writeFile(join(directory, 'secret.txt'), 'secret')
  await writeFile(join(directory, 'assets/.env'), 'secret')
  await writeFile(join(directory, 'assets/index-a1.js'), SCRIPT)
  await writeFile(join(directory, 'assets/index-a1.js.br'), brotliCompressSync(SCRIPT))
  return directory
}

const PRODUCTION = {
  SANDBOX: '0',
  SMTP_URL: 'smtp://127.0.0.1:9',
  PUBLIC_URL: 'https://accounts.example',
  LICENSE_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  ENTITY_BR_PAYMENTS: 'offline',
  ENTITY_GLOBAL_PAYMENTS: 'offline',
  ...VENDOR_IDENTITY,
}

let directory: string
const apps: TestApp[] = []
const appWith = async (environment: Record<string, string>, consoleDirectory = directory): Promise<TestApp> => {
  const made = await startApp({ environment, consoleDirectory })
  apps.push(made)
  return made
}
let app: TestApp
beforeAll(async () => {
  directory = await builtConsole()
  app = await appWith({ DEMO: '1' })
})
afterAll(async () => {
  await Promise.all(apps.map((one) => one.close()))
  await rm(directory, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}, from = app) => from.service.app.inject({ url, headers })

describe('the page', () => {
  it.each(['/app/', '/app/o/1/quotes/12', '/app/o/1/invoices?status=open&search=a.b', '/app/all'])(
    '200 at %s, never kept, for scripts of this service alone',
    async (url) => {
      const { statusCode, headers, body } = await get(url)
      expect([statusCode, headers['cache-control'], headers['content-type']]).toEqual([
        200,
        'no-store',
        'text/html; charset=utf-8',
      ])
      const [, nonce] = /name="style-nonce" content="([\w+/]+=*)"/.exec(body) ?? []
      const policy = Object.fromEntries(
        String(headers['content-security-policy'])
          .split('; ')
          .map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]),
      )
      expect(policy).toEqual({
        'default-src': `'none'`,
        'script-src': `'self'`,
        'style-src': `'self' 'nonce-${nonce}'`,
        'connect-src': `'self'`,
        'img-src': `'self' data: blob:`,
        'font-src': `'self'`,
        'object-src': `'none'`,
        'base-uri': `'none'`,
        'form-action': `'self'`,
        'frame-ancestors': `'none'`,
      })
    },
  )
  it('has another nonce each time', async () => {
    const pages = await Promise.all([get('/app/'), get('/app/')])
    expect(new Set(pages.map(({ headers }) => headers['content-security-policy'])).size).toBe(2)
  })
  it.each([
    ['/app', '/app/'],
    ['/app?next=/app&x=1', '/app/?next=/app&x=1'],
    ['/%61pp?next=//evil.example/app', '/app/?next=//evil.example/app'],
    ['/ap%70', '/app/'],
  ])('is at /app/, with the query of whoever asks for %s', async (url, location) => {
    const { statusCode, headers } = await get(url)
    expect([statusCode, headers.location]).toEqual([302, location])
  })
  it('answers HEAD without a body', async () => {
    const { statusCode, body } = await app.service.app.inject({ method: 'HEAD', url: '/app/o/1' })
    expect([statusCode, body]).toEqual([200, ''])
  })
})

describe('a file of the build', () => {
  it('is kept for a year, and comes as brotli to who takes it', async () => {
    const plain = await get(FILE)
    expect([plain.statusCode, plain.body, plain.headers['content-encoding']]).toEqual([200, SCRIPT, undefined])
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('application/javascript; charset=utf-8')
    const packed = await get(FILE, { 'accept-encoding': 'gzip, br' })
    expect([packed.headers['content-encoding'], packed.rawPayload]).toEqual(['br', brotliCompressSync(SCRIPT)])
    expect(String(packed.headers['vary']).toLowerCase()).toContain('accept-encoding')
  })
  it('304 when nothing changed, 206 for a part', async () => {
    const { headers } = await get(FILE)
    expect((await get(FILE, { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
    const part = await get(FILE, { range: 'bytes=0-6' })
    expect([part.statusCode, part.body]).toEqual([206, 'console'])
  })
  it.each([
    '/app/assets/index-b2.js',
    '/app/assets/.env',
    '/app/index.html',
    '/app/secret.txt',
    '/app/.env',
    '/app/o/1/quotes/12.js',
    '/app/assets/..%2fsecret.txt',
    '/app/..%2f..%2f..%2fpackage.json',
  ])('404 at %s', async (url) => {
    const { statusCode, body } = await get(url)
    expect(statusCode).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ errors: { code: 'NOT_FOUND' } })
  })
  it.each(['/app/assets/../secret.txt', '/app/assets/%2e%2e/secret.txt', '/app/assets//etc/passwd', '/app/assets/%00'])(
    'is nothing outside of its folder: %s',
    async (url) => {
      const { statusCode, body } = await get(url)
      expect(statusCode).toBeGreaterThanOrEqual(400)
      expect(statusCode).toBeLessThan(500)
      expect(body).not.toContain('secret')
    },
  )
})

describe('a console that is not built', () => {
  it('says in a sentence how it is, in the language of the reader, and in the log', async () => {
    const bare = await appWith({}, join(directory, 'nowhere'))
    for (const language of ['en', 'pt-BR'] as const) {
      const { statusCode, body } = await get('/app/o/1', { 'accept-language': language }, bare)
      expect([language, statusCode]).toEqual([language, 404])
      expect(body).toContain(textsIn(language).pages.console.unbuilt)
    }
    expect((await get('/app/assets/index-a1.js', {}, bare)).statusCode).toBe(404)
    expect(bare.log.filter((line) => line.includes('the console is not built'))).toHaveLength(1)
    expect(app.log.filter((line) => line.includes('the console is not built'))).toEqual([])
  })
})

/** What the page offers; null for nothing. */
async function offered(from: TestApp, headers: Record<string, string> = {}) {
  const { body } = await get('/app/', headers, from)
  const [, content] = /<meta name="demo" content="([^"]*)">/.exec(body) ?? []
  if (content === undefined) return null
  const { password, people } = JSON.parse(content.replaceAll('&quot;', '"'))
  return { password, emails: people.map(({ email }: { email: string }) => email) }
}

describe('the people of the demo', () => {
  it('are offered on this machine, staff first', async () => {
    const found = await offered(app)
    expect(found?.password).toBe(DEMO_SIGN_INS.password)
    expect(found?.emails).toEqual(expect.arrayContaining([...DEMO_SIGN_INS.staff, 'ana@padaria.example']))
    expect(found?.emails[0]).toBe('staff@titular.example')
  })
  it('are not offered through a proxy, nor for another host', async () => {
    expect(await offered(app, { 'x-forwarded-for': '203.0.113.7' })).toBeNull()
    expect(await offered(app, { host: 'accounts.example' })).toBeNull()
  })
  it('are customers alone where the sandbox is open to others', async () => {
    const open = await appWith({ DEMO: '1', PUBLIC_URL: 'https://demo.example' })
    const found = await offered(open, { host: 'demo.example' })
    expect(found?.emails).toContain('ana@padaria.example')
    expect(found?.emails.filter((email: string) => DEMO_SIGN_INS.staff.includes(email))).toEqual([])
  })
  it('are not offered without the demo, nor in production', async () => {
    expect(await offered(await appWith({ DEMO: '0' }))).toBeNull()
    expect(await offered(await appWith(PRODUCTION))).toBeNull()
  })
})
