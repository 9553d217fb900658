// Many documents at once are rendered in threads, so that other requests do not wait for them.
import { expect, it } from 'vitest'
import { Busy } from '#kernel/values/errors.ts'
import { appOfFile } from '#test/harness/app.ts'
import { LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'

const DOCUMENTS = 50

const app = await appOfFile()
const acme = await app.world.organization()
const viewer = await acme.member({ scopes: ['quotes'] })

it('200 for 50 PDFs at once, while other requests are answered without waiting', async () => {
  const id = await sentQuote(acme, { line_items: Array(10).fill(LICENSE_LINE) })
  // Starts the thread, so that the measured part is rendering only.
  expect((await viewer.get(`/quotes/${id}/pdf`)).status).toBe(200)
  let rendered = 0
  const documents = Array.from({ length: DOCUMENTS }, async () => {
    const { status } = await viewer.get(`/quotes/${id}/pdf`)
    rendered++
    return status
  })
  const renderedBefore: number[] = []
  for (let asked = 0; asked < 20; asked++) {
    expect((await viewer.get('/auth/me')).status).toBe(200)
    renderedBefore.push(rendered)
  }
  // These requests were answered one after the other, long before all documents were.
  expect(renderedBefore.at(-1)).toBeLessThan(DOCUMENTS)
  expect(new Set(await Promise.all(documents)), app.log.filter((one) => one.includes('failed')).join('')).toEqual(
    new Set([200]),
  )
  expect(rendered).toBe(DOCUMENTS)
})

it('503 with Retry-After when the queue is full, and 200 afterwards', async () => {
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
