// Reads the mails that the sandbox stored, and enqueues one.
import type { TestApp } from './app.ts'

/** The token of the newest mailed invite to the address. */
export async function mailedInvite(app: TestApp, email: string): Promise<string> {
  await app.service.worker.drain()
  const box = app.service.sandbox?.mail
  const newest = (await box?.list())?.find(({ to }) => to.toLowerCase() === email.toLowerCase())
  const mail = await box?.read(newest?.name ?? '')
  const token = /\/invites\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`no invite was mailed to ${email}`)
  return token
}

/** All mails to the address, newest first. */
export async function mailsTo(
  app: TestApp,
  email: string,
): Promise<{ subject: string; text: string; attachments: string[] }[]> {
  await app.service.worker.drain()
  const box = app.service.sandbox?.mail
  if (!box) throw new Error('the sandbox has no mail')
  const found = (await box.list()).filter(({ to }) => to === email)
  const mails = await Promise.all(found.map(({ name }) => box.read(name)))
  return mails.flatMap((mail) =>
    mail ? [{ subject: mail.subject, text: mail.text, attachments: mail.attachments }] : [],
  )
}

type Enqueued = { mail: string; resource_id: number; user_id: number }

/** As `notifications/announce` enqueues it. */
export const enqueueMail = (app: TestApp, organizationId: number, payload: Enqueued): Promise<unknown> =>
  app.database.query(
    `insert into jobs (organization_id, kind, payload, run_at) values ($1, 'notifications/mail', $2, $3)`,
    [organizationId, JSON.stringify(payload), app.clock.now],
  )
