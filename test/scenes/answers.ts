// Mails about a ticket, which somebody answers: through the mailbox of the sandbox.
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'
import { subjects } from './tickets.ts'

export type AnswerScene = Awaited<ReturnType<typeof answerScene>>
export type Sent = {
  from: string
  to: string
  text?: string
  messageId?: string | null
  headers?: readonly string[]
  files?: readonly { name: string; content: Buffer }[]
}

let sent = 0

/** As a mail program sends it. */
export function rawMail({ from, to, text = 'It is still slow', messageId, headers = [], files = [] }: Sent): Buffer {
  const id = messageId === undefined ? `<${++sent}-${randomBytes(6).toString('hex')}@acme.example>` : messageId
  const parts = files.map(({ name, content }) =>
    [
      `Content-Type: application/octet-stream; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      content.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
    ].join('\r\n'),
  )
  const whole = ['Content-Type: text/plain; charset=utf-8\r\n\r\n' + text, ...parts].join('\r\n--part\r\n')
  return Buffer.from(
    [
      ...headers,
      `From: ${from}`,
      `To: ${to}`,
      ...(id === null ? [] : [`Message-ID: ${id}`]),
      'Subject: Re: ticket',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=part',
      '',
      `--part\r\n${whole}\r\n--part--`,
      '',
    ].join('\r\n'),
  )
}

export async function answerScene(app: TestApp) {
  const acme = await app.world.organization({ name: 'Acme' })
  const { hosting } = await subjects(app, acme)
  const agent = await acme.member({ scopes: ['tickets'] })
  const work = () => app.service.worker.drain()
  const open = async (by: Speaker = agent): Promise<number> =>
    (await by.post('/tickets', { title: 'It is slow', entitlement_id: hosting })).data.id
  const comments = async (id: number, by: Speaker = acme.staff) =>
    (await by.get(`/tickets/${id}/comments?per_page=100`)).data
  const bodies = async (id: number): Promise<string[]> => (await comments(id)).map(({ body }: { body: string }) => body)
  /** As staff see the newest mail. */
  const newest = async () => {
    const [event] = (await acme.staff.get('/admin/inbound-events?source=sandbox-mail&per_page=1')).data
    return event
  }
  return {
    acme,
    agent,
    work,
    open,
    newest,
    /** A ticket of the agent's, and the address at which the mail about staff's comment is answered. */
    asked: async (): Promise<{ id: number; to: string }> => {
      const id = await open()
      await acme.staff.post(`/tickets/${id}/comments`, { body: 'We look' })
      return { id, to: await replyAddressOf(app, agent.email) }
    },
    /** The address that the newest mail to them is to be answered at; empty without one. */
    replyAddress: (to: Speaker | string) => replyAddressOf(app, typeof to === 'string' ? to : to.email),
    /** Puts it into the mailbox, and lets the service look there. */
    answer: async (mail: Sent | Buffer): Promise<void> => {
      await app.service.sandbox?.mail?.answers.deliver(Buffer.isBuffer(mail) ? mail : rawMail(mail))
      await look(app)
    },
    look: () => look(app),
    comments,
    bodies,
    attachments: async (id: number) => (await acme.staff.get(`/tickets/${id}/attachments?per_page=100`)).data,
    /** The newest mail failed for that reason, became no comment of a ticket that was `asked`, and waits for staff. */
    expectRefused: async (id: number, why: RegExp): Promise<void> => {
      const event = await newest()
      expect(event).toMatchObject({ state: 'failed', error: expect.stringMatching(why) })
      expect(await bodies(id)).toEqual(['We look'])
      const { job_id } = (await acme.staff.get(`/admin/inbound-events/${event.id}`)).data
      expect((await acme.staff.get('/admin/jobs?state=dead_letter&per_page=100')).data).toContainEqual(
        expect.objectContaining({ id: job_id, last_error: expect.stringMatching(why) }),
      )
    },
  }
}

async function look(app: TestApp): Promise<void> {
  await app.database.query(`insert into jobs (kind, run_at) values ('answers-by-mail/fetch', $1)`, [app.clock.now])
  await app.service.worker.drain()
}

async function replyAddressOf(app: TestApp, email: string): Promise<string> {
  await app.service.worker.drain()
  const box = app.service.sandbox?.mail
  const newest = (await box?.list())?.find(({ to }) => to === email)
  return (await box?.read(newest?.name ?? ''))?.replyTo ?? ''
}
