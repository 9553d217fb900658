// Many documents at once: drawn beside the service, so nobody else waits for them.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Busy } from '#kernel/http/errors.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import { until } from '#test/harness/until.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const DOCUMENTS = 50

let app: TestApp
let acme: Organization
let viewer: Speaker

beforeAll(async () => {
  app = await startApp()
  acme = await app.world.organization()
  viewer = await acme.member({ scopes: ['quotes'] })
})
afterAll(() => app.close())

it('50 PDFs at once keep no other request waiting, and all are drawn', async () => {
  const id = await sentQuote(acme, { line_items: Array(10).fill(LICENSE_LINE) })
  // The thread is there, so that what follows is drawing only.
  expect((await viewer.get(`/quotes/${id}/pdf`)).status).toBe(200)
  let drawn = 0
  const documents = Array.from({ length: DOCUMENTS }, async () => {
    // Whoever waits for the database for too long on a busy machine is told to come again, and does.
    const { status } = await until(
      () => viewer.get(`/quotes/${id}/pdf`),
      (answer) => answer.status !== 503,
    )
    drawn++
    return status
  })
  const drawnBefore: number[] = []
  for (let asked = 0; asked < 20; asked++) {
    await until(
      () => viewer.get('/auth/me'),
      ({ status }) => status === 200,
    )
    drawnBefore.push(drawn)
  }
  // One after the other they were answered, long before the documents were.
  expect(drawnBefore.at(-1)).toBeLessThan(DOCUMENTS)
  expect(new Set(await Promise.all(documents)), app.log.filter((one) => one.includes('failed')).join('')).toEqual(
    new Set([200]),
  )
  expect(drawn).toBe(DOCUMENTS)
})

it('503 with Retry-After when more are wanted than may wait, and the service goes on', async () => {
  const id = await sentQuote(acme)
  const { documents } = app.service.ports
  const { render } = documents
  documents.render = () => Promise.reject(new Busy('too many documents are waited for'))
  const refused = await viewer.get(`/quotes/${id}/pdf`)
  documents.render = render
  expect(refused.status).toBe(503)
  expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  expect((await viewer.get(`/quotes/${id}/pdf`)).status).toBe(200)
})
