// The mail to a new contact: its link, and what its owner does with it.
import { expect } from 'vitest'
import type { TestApp } from '../harness/app.ts'
import { mailsTo } from '../harness/mailbox.ts'

/** The token of the newest mail that asks the address, in whatever case it is written; undefined when none does. */
export async function askedToken(app: TestApp, email: string): Promise<string | undefined> {
  const mails = await mailsTo(app, email.toLowerCase())
  return mails.flatMap(({ text }) => /\/confirm-contact\/([\w.-]+)/.exec(text)?.[1] ?? [])[0]
}

export async function confirmed(app: TestApp, email: string): Promise<void> {
  const answer = await app.world.anonymous.post(`/public/contacts/${await askedToken(app, email)}/confirm`)
  expect(answer.status, answer.raw.body).toBe(200)
}
