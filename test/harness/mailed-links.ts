// The mails of a recipient, and the links in them.
import type { StoredMail } from '../../src/adapters/sandbox/mail.ts'
import type { TestApp } from './app.ts'

export type Mailbox = {
  /** Oldest first, after all jobs are done. */
  of: (address: string) => Promise<StoredMail[]>
  newest: (address: string) => Promise<StoredMail>
  /** The query of the link in the newest mail. */
  link: (address: string, path: string) => Promise<Record<string, string>>
}

export function mailboxOf(app: TestApp): Mailbox {
  async function of(address: string): Promise<StoredMail[]> {
    await app.service.worker.drain()
    const sandbox = app.service.sandbox?.mail
    if (!sandbox) throw new Error('this app has no sandbox mail')
    const all = await sandbox.list(1000)
    const mine = all.filter(({ to }) => to.toLowerCase() === address.toLowerCase())
    const mails = await Promise.all(mine.map(({ name }) => sandbox.read(name)))
    return mails.flatMap((mail) => mail ?? []).toReversed()
  }
  async function newest(address: string): Promise<StoredMail> {
    const mail = (await of(address)).at(-1)
    if (!mail) throw new Error(`no mail for ${address}`)
    return mail
  }
  async function link(address: string, path: string): Promise<Record<string, string>> {
    const { text } = await newest(address)
    const found = text.match(/https?:\/\/\S+/g)?.find((url) => new URL(url).pathname === path)
    if (!found) throw new Error(`no link to ${path} in the mail to ${address}`)
    return Object.fromEntries(new URL(found).searchParams)
  }
  return { of, newest, link }
}
