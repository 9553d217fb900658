// GET /end-sessions in a browser: nothing ends without a click, and a link that no longer counts offers none.
import { expect, it } from 'vitest'
import { openPage } from '#test/harness/open-page.ts'
import { textsIn } from '../texts/catalogue.ts'
import { endSessionsPage } from './end-sessions.ts'
import { brandNamed } from '#test/scenes/brand.ts'

const NOTICE = 'end .notice'
const open = (query: string, answer?: { status: number; body: object }) =>
  openPage(endSessionsPage({ language: 'en', nonce: 'n', brand: brandNamed('Titular') }, { portalUrl: '/app' }), {
    query,
    answer,
  })
const refused = (status: number, code: string) => ({ status, body: { success: false, errors: { code } } })

it('asks first, then says that everybody is signed out', async () => {
  const page = await open('?token=t', { status: 200, body: { success: true, data: null } })
  expect([page.shown(), page.asked]).toEqual([['ask'], []])
  await page.submit('end')
  expect([page.shown(), page.asked]).toEqual([['done'], ['/api/v1/auth/end-sessions']])
})
it('without a token is incomplete', async () => {
  expect((await open('')).shown()).toEqual(['incomplete'])
})
it('of a link that has expired offers no button any more', async () => {
  const page = await open('?token=t', refused(422, 'VALIDATION_ERROR'))
  await page.submit('end')
  expect([page.shown(), page.left]).toEqual([['expired'], []])
})
it('can be tried again when the service is busy, or cannot be reached', async () => {
  const { errors } = textsIn('en').pages
  for (const [answer, words] of [
    [refused(503, 'SERVICE_UNAVAILABLE'), errors.codes.SERVICE_UNAVAILABLE],
    [undefined, errors.offline],
  ] as const) {
    const page = await open('?token=t', answer)
    await page.submit('end')
    expect([page.shown(), page.textOf(NOTICE)]).toEqual([['ask'], words])
  }
})
