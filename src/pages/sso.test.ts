// GET /sso in a browser: to which addresses an answer of a provider is handed on, and what the person is told of it.
import { describe, expect, it } from 'vitest'
import { type ApiAnswer, openPage } from '#test/harness/open-page.ts'
import { textsIn } from '../texts/catalogue.ts'
import { ssoPage } from './sso.ts'
import { brandNamed } from '#test/scenes/brand.ts'

const TOKEN = 'x'.repeat(43)
const { sso: texts, errors } = textsIn('en').pages

type Given = { answer?: ApiAnswer | ((url: string) => ApiAnswer) }

const open = (query: object, { answer }: Given = {}) =>
  openPage(
    ssoPage({ language: 'en', nonce: 'n', brand: brandNamed('Titular') }, { portalUrl: 'https://portal.example' }),
    {
      query: `?${new URLSearchParams({ ...query }).toString()}`,
      answer,
    },
  )

const signedIn = (return_path: string) => ({
  status: 200,
  body: { success: true, data: { nonce: 'n', return_path } },
})
const refused = (status: number, code: string, reason?: string) => ({
  status,
  body: { success: false, errors: { code, ...(reason !== undefined && { reason }) } },
})

describe('an answer for a program', () => {
  it('is handed to it at the loopback once the person agrees, and to nothing else', async () => {
    const query = { state: `${TOKEN}.51763`, code: 'c&d#e', iss: 'https://i.example' }
    const page = await open({ ...query, other: 'x' })
    expect([page.shown(), page.asked, page.left]).toEqual([['program'], [], []])
    await page.submit('hand-over')
    expect(page.left).toEqual([`http://127.0.0.1:51763/?${new URLSearchParams(query).toString()}`])
    expect(page.asked).toEqual([])
  })
  it.each([
    `${TOKEN}.99999`,
    `${TOKEN}.80`,
    `${TOKEN}.1023`,
    `${TOKEN}.51763@evil.example`,
    `${TOKEN}.51763.evil.example`,
    `${TOKEN}.51763\n`,
    `${TOKEN}.५१७६३`,
    `${TOKEN}.0x1F90`,
    `${TOKEN}.51763/..`,
    `javascript:alert(1)//${TOKEN}.51763`,
    TOKEN,
  ])('goes nowhere for the state %j', async (state) => {
    const page = await open({ state, code: 'c' })
    expect([page.shown(), page.asked, page.left]).toEqual([['failed'], ['/api/v1/auth/session/sso'], []])
  })
})

describe('an answer for this page', () => {
  const query = { state: TOKEN, code: 'c' }

  it('leads to the path at the portal', async () => {
    for (const path of ['/', '/quotes/7'])
      expect((await open(query, { answer: signedIn(path) })).left).toEqual([`https://portal.example${path}`])
  })
  it.each(Object.entries(texts.reasons))('says why it was refused: %s', async (reason, words) => {
    const page = await open(query, { answer: refused(401, 'AUTHENTICATION_ERROR', reason) })
    expect([page.shown(), page.textOf('problem'), page.left]).toEqual([['failed'], words, []])
  })
  it.each([
    ['AUTHENTICATION_ERROR', 401, texts.refused],
    ['VALIDATION_ERROR', 422, texts.refused],
    ['SERVICE_UNAVAILABLE', 503, texts.unavailable],
    ['RATE_LIMIT', 429, errors.codes.RATE_LIMIT],
  ])('says what is wrong: %s', async (code, status, words) => {
    const page = await open(query, { answer: refused(status, code) })
    expect([page.shown(), page.textOf('problem')]).toEqual([['failed'], words])
  })
  it.each([
    [422, 'VALIDATION_ERROR', textsIn('en').pages.secondFactor.wrongCode],
    [401, 'AUTHENTICATION_ERROR', texts.reasons.sso_expired],
  ])('asks for the second step, and says what is wrong with it: %i', async (status, code, words) => {
    const challenged = {
      status: 200,
      body: { success: true, data: { second_factor_required: true, challenge: 'c', return_path: '/' } },
    }
    const page = await open(query, {
      answer: (url) => (url.endsWith('/second-factor') ? refused(status, code) : challenged),
    })
    expect(page.shown()).toEqual(['second'])
    await page.submit('answer')
    expect([page.shown(), page.textOf('answer .notice')]).toEqual([['second'], words])
  })
  it('with an error and no state is refused too', async () => {
    const page = await open({ error: 'access_denied' }, { answer: refused(422, 'VALIDATION_ERROR') })
    expect([page.shown(), page.asked]).toEqual([['failed'], ['/api/v1/auth/session/sso']])
  })
})
