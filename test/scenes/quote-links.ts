// Public links of quotes for tests: made by staff or mailed, opened by somebody without an account.
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer, Headers, Organization, Speaker } from '#test/harness/world.ts'

export type PublicLink = { id: number; token: string }

export async function linkOf(at: Organization, quote: number, body: object = {}): Promise<PublicLink> {
  const { data, status, raw } = await at.staff.post(`/quotes/${quote}/links`, body)
  expect(status, raw.body).toBe(201)
  return { id: data.id, token: new URL(data.url).pathname.replace('/quotes/', '') }
}

/** Of the mail about the quote with this number. */
export async function mailedLink(app: TestApp, { email }: Speaker, number: string): Promise<PublicLink> {
  const texts = (await mailsTo(app, email)).flatMap(({ subject, text }) =>
    subject.startsWith(`Quote ${number} `) ? [text] : [],
  )
  const [, token = ''] = texts.map((text) => /\/quotes\/([\w-]{43})/.exec(text)).find((found) => found !== null) ?? []
  return { id: 0, token }
}

export const opened = (app: TestApp, { token }: PublicLink, act = '', headers: Headers = {}): Promise<Answer> =>
  app.world.anonymous.get(`/public/quotes/${token}${act}`, headers)

export const PERSON = { name: 'Bia Lima', email: 'bia@acme.example' }

type Shown = { document_sha256?: string } & Record<string, unknown>

/** As the page sends it: with the hash of what it has shown. */
export async function acceptedWith(app: TestApp, link: PublicLink, more: Shown = {}): Promise<Answer> {
  const { document_sha256 = (await opened(app, link)).data.document_sha256 } = more
  const body = { ...PERSON, consent: true, ...more, document_sha256 }
  return app.world.anonymous.post(`/public/quotes/${link.token}/accept`, body)
}

export const rejectedWith = (app: TestApp, { token }: PublicLink, more: object = {}): Promise<Answer> =>
  app.world.anonymous.post(`/public/quotes/${token}/reject`, { ...PERSON, ...more })
