// Calls against a listening service: what goes out, what comes back, and what each refusal is.
import { describe, expect, expectTypeOf, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { until } from '../../../test/harness/until.ts'
import { draftQuote, sentQuote } from '../../../test/scenes/commerce.ts'
import { apiKey as recordOfKey } from '../../../test/scenes/records.ts'
import { PASSWORD, secondFactorScene } from '../../../test/scenes/second-factor.ts'
import {
  acceptQuote,
  apiKey,
  ApiError,
  AuthenticationError,
  AuthorizationError,
  bearer,
  ConflictError,
  createApiKey,
  type CreateApiKeyRequest,
  createQuote,
  downloadQuotePdf,
  getEntitlementByCode,
  getQuote,
  listOrganizations,
  listQuotes,
  NotFoundError,
  PreconditionError,
  type Quote,
  type QuoteSummary,
  StepUpRequired,
  updateQuote,
  ValidationError,
} from '../src/index.ts'
import { clientOf, failureOf, watched } from './client.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()
const other = await app.world.organization()
const { titular, sent } = clientOf(app, acme.owner, acme.id)
const staff = clientOf(app, acme.staff, acme.id).titular

describe('a call', () => {
  it('takes parameters and body beside each other, and gives the data by its type', async () => {
    const id = await sentQuote(acme)
    const quote = await titular.call(getQuote, { id })
    expectTypeOf(quote).toEqualTypeOf<Quote>()
    expect(quote).toMatchObject({ id, status: 'viewed', currency: 'BRL' })
    const accepted = await titular.call(acceptQuote, { id, body: { purchase_order: 'PO-“7” 🚀' } })
    expect(accepted).toMatchObject({ quote_id: id, status: 'accepted' })
    expect((await titular.call(getQuote, { id })).purchase_order).toBe('PO-“7” 🚀')
  })
  it('gives what is said about the data too', async () => {
    await sentQuote(acme)
    const answer = await titular.answer(listQuotes, { per_page: 1, status: ['sent', 'accepted'] })
    expectTypeOf(answer.data).toEqualTypeOf<QuoteSummary[]>()
    expect(answer).toMatchObject({ status: 200, meta: { per_page: 1 }, message: null, isReplayed: false })
    expect(answer.requestId).toMatch(/^[\w.:-]{8,100}$/)
  })
  it('works in the organization of the client, or of the call, or of another client of the same caller', async () => {
    const id = await sentQuote(other)
    const both = clientOf(app, acme.staff)
    expect((await both.titular.call(getQuote, { id }, { organization: other.id })).id).toBe(id)
    expect((await both.titular.with({ organization: other.id }).call(getQuote, { id })).id).toBe(id)
    expect(await failureOf(both.titular.call(getQuote, { id }, { organization: acme.id }))).toBeInstanceOf(
      NotFoundError,
    )
    await both.titular.call(listOrganizations, {}, { organization: other.id })
    expect(both.sent.map(({ headers }) => headers.get('x-service-organization'))).toEqual(
      [other.id, other.id, acme.id, null].map((one) => one && String(one)),
    )
  })
  it('sends company, language, and a reason in any script', async () => {
    const { id } = await draftQuote(acme)
    const options = { company: 'entity_br', language: 'pt-BR', reason: '50% de desconto, só hoje' } as const
    await clientOf(app, acme.staff, acme.id).titular.call(updateQuote, { id, body: { notes: 'Olá' } }, options)
    const [entry] = (await acme.staff.get(`/audit-log?resource=quote&resource_id=${id}`)).data
    expect(entry.reason).toBe(options.reason)
    const { titular: inCompany, sent: ofCompany } = clientOf(app, acme.owner, acme.id)
    await inCompany.with({ company: 'entity_global', language: 'pt-BR' }).call(listQuotes)
    expect(Object.fromEntries(ofCompany[0]?.headers ?? [])).toMatchObject({
      'x-service-company': 'entity_global',
      'accept-language': 'pt-BR',
    })
  })
  it('may name the record that it saw', async () => {
    const { id } = await draftQuote(acme)
    const { etag } = await staff.answer(getQuote, { id })
    if (etag === null) throw new Error('no ETag')
    await staff.call(updateQuote, { id, body: { notes: 'first' } }, { ifMatch: etag })
    const second = staff.call(updateQuote, { id, body: { notes: 'second' } }, { ifMatch: etag })
    expect(await failureOf(second)).toBeInstanceOf(PreconditionError)
  })
  it('says who it is by the pair of an API key', async () => {
    const { authorization = '' } = await recordOfKey(app, acme, { permission: 'read', scopes: ['quotes'] })
    const [key = '', secret = ''] = atob(authorization.slice('Basic '.length)).split(':')
    const byKey = watched(app, { credentials: apiKey(key, secret) })
    expect((await byKey.titular.answer(listQuotes)).status).toBe(200)
    expect(byKey.sent[0]?.headers.get('x-service-organization')).toBeNull()
  })
  it('ends when the caller stops it, before and while it runs, with the reason that was given', async () => {
    const gone = new AbortController()
    const running = clientOf(app, acme.owner, acme.id, async (url, init) => {
      gone.abort(new Error('the page was left'))
      return fetch(url, init)
    }).titular.call(listQuotes, {}, { signal: gone.signal })
    await expect(running).rejects.toThrow('the page was left')
    sent.length = 0
    await expect(titular.call(listQuotes, {}, { signal: gone.signal })).rejects.toThrow('the page was left')
    expect(sent).toEqual([])
  })
  it('needs the parameters of its path', async () => {
    await expect(titular.call(getQuote, { id: Number.NaN })).rejects.toBeInstanceOf(NotFoundError)
    // @ts-expect-error without the id
    await expect(titular.call(getQuote, {})).rejects.toThrow('/quotes/{id} needs id')
    for (const code of ['.', '..'])
      await expect(titular.call(getEntitlementByCode, { code })).rejects.toThrow(`code cannot be ${code}`)
    await expect(titular.call(downloadQuotePdf, { id: 1 })).rejects.toThrow('downloadQuotePdf answers with a file')
    // @ts-expect-error no field of the operation
    await expect(titular.call(listQuotes, { color: 'red' })).rejects.toBeInstanceOf(ValidationError)
  })
})

const brokenProxy = async () => new Response('<h1>Broken</h1>', { status: 500, statusText: 'Broken' })

describe('a refusal', () => {
  it('401 is an AuthenticationError, with the id of the request', async () => {
    const error = await failureOf(watched(app, { credentials: bearer('none') }).titular.call(listQuotes))
    if (!(error instanceof AuthenticationError)) throw error
    expect(error).toMatchObject({ status: 401, code: 'AUTHENTICATION_ERROR', operation: 'listQuotes' })
    expect(app.log.some((line) => line.includes(String(error.requestId)))).toBe(true)
  })
  it('403 is an AuthorizationError, with what is missing', async () => {
    const member = await acme.member({ scopes: ['tickets'] })
    const error = await failureOf(clientOf(app, member, acme.id).titular.call(listQuotes))
    if (!(error instanceof AuthorizationError)) throw error
    expect(error).toMatchObject({ reason: 'scope_missing', missing: { scopes: ['quotes'] } })
    expect(error.docsUrl).toContain('/docs/errors#scope_missing')
  })
  it('404, 409 and 422 are errors of their own, with reason and fields', async () => {
    expect(await failureOf(titular.call(getQuote, { id: 999_999 }))).toBeInstanceOf(NotFoundError)
    const id = await sentQuote(acme)
    await titular.call(acceptQuote, { id })
    const conflict = await failureOf(titular.call(acceptQuote, { id }))
    expect(conflict).toBeInstanceOf(ConflictError)
    expect(conflict).toMatchObject({ status: 409, reason: 'status_not_allowed' })
    const invalid = await failureOf(titular.call(listQuotes, { per_page: 500 }))
    if (!(invalid instanceof ValidationError)) throw invalid
    expect(Object.keys(invalid.fields)).toEqual(['per_page'])
    expect([invalid.name, invalid instanceof ApiError, invalid instanceof Error]).toEqual([
      'ValidationError',
      true,
      true,
    ])
  })
  it('is told from an answer of something else', async () => {
    for (const text of ['<!doctype html>', '[]', 'null', '{"ok":true}']) {
      const elsewhere = clientOf(app, acme.owner, acme.id, async () => new Response(text))
      await expect(elsewhere.titular.call(listQuotes)).rejects.toThrow('is baseUrl right?')
    }
  })
  it('in a form of a proxy is an error all the same', async () => {
    const error = await failureOf(clientOf(app, acme.owner, acme.id, brokenProxy).titular.call(listQuotes))
    if (!(error instanceof ApiError)) throw error
    expect(error).toMatchObject({ status: 500, message: 'listQuotes: 500 Broken', requestId: null })
    expect([error.code, error.reason]).toEqual([undefined, undefined])
  })
})

const refusing = async () =>
  new Response('{"errors":{"code":"AUTHORIZATION_ERROR","reason":"step_up_required"}}', { status: 403 })

describe('a step-up', () => {
  it('is asked for in place, once for calls at a time, and the acts go on', async () => {
    const strict = await appOfFile({ listens: true, environment: { STEP_UP_MINUTES: '10' } })
    const { headers } = await secondFactorScene(strict).registered()
    const token = String(headers['authorization']).slice('Bearer '.length)
    const { data: organization } = await strict.world.anonymous.post('/organizations', { name: 'Acme' }, headers)
    strict.clock.advance(3600)
    const body: CreateApiKeyRequest = { name: 'ERP', permission: 'read' }
    const made = clientOf(strict, { token }, organization.id)
    const refusal = await failureOf(made.titular.call(createApiKey, { body }))
    expect(refusal).toBeInstanceOf(StepUpRequired)
    const asked: string[] = []
    let refused = 0
    const counting: typeof fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (response.status === 403) refused++
      return response
    }
    const onStepUp = async (error: StepUpRequired) => {
      asked.push(error.operation)
      await until(() => refused === 2)
      return { current_password: PASSWORD }
    }
    const asking = watched(strict, { credentials: bearer(token), organization: organization.id, onStepUp }, counting)
    const [key] = await Promise.all([1, 2].map(() => asking.titular.call(createApiKey, { body })))
    expect(key?.consumer_secret).toMatch(/./)
    expect(asked).toEqual(['createApiKey'])
    const paths = asking.sent.map(({ path }) => path)
    expect(paths.filter((path) => path !== '/auth/api-keys')).toEqual(['/auth/step-up'])
    expect(paths).toHaveLength(5)
  })
  it('that nobody gives leaves the refusal', async () => {
    const { titular: mine, sent: asked } = watched(app, { onStepUp: () => null }, refusing)
    expect(
      await failureOf(mine.call(createQuote, { body: { currency: 'BRL', valid_until: '2099-12-31', line_items: [] } })),
    ).toBeInstanceOf(StepUpRequired)
    expect(asked).toHaveLength(1)
  })
})

it('a body that the operation does not take is no body', () => {
  // @ts-expect-error a list has no body
  void (() => titular.call(listQuotes, { body: {} }))
  // @ts-expect-error a quote needs a body
  void (() => titular.call(createQuote))
  expect(createQuote.multipart).toBeUndefined()
})
