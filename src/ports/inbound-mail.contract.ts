// The contract of mailboxes. The tests of each adapter that reads one run it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type InboundMail, MOST_MAIL_BYTES } from './inbound-mail.ts'

/** The adapter, and how a mail gets into its mailbox. */
export type MailboxSystem = { mailbox: InboundMail; put(bytes: Buffer): Promise<void> | void; close(): Promise<void> }

export function mailboxContract(name: string, start: () => Promise<MailboxSystem>): void {
  describe(`a mailbox by ${name}`, () => {
    let system: MailboxSystem
    beforeEach(async () => {
      system = await start()
    })
    afterEach(() => system.close())

    const taken = async (): Promise<string[]> => {
      const found: string[] = []
      await system.mailbox.fetch(async ({ bytes }) => void found.push(bytes.toString('utf8')))
      return found
    }

    it('hands over nothing where nothing waits', async () => {
      expect(await taken()).toEqual([])
    })
    it('hands over each mail once, byte for byte, in the order in which they came', async () => {
      const mails = ['From: a@b.example\r\n\r\nação 🙂\r\n', 'From: c@d.example\r\n\r\n) {3}\r\nabc* 1 EXISTS\r\n', 'x']
      for (const mail of mails) await system.put(Buffer.from(mail))
      expect(await taken()).toEqual(mails)
      expect(await taken()).toEqual([])
    })
    it('hands over again what was not taken, which holds up no other', async () => {
      const found: string[] = []
      for (const mail of ['one', 'two', 'three']) await system.put(Buffer.from(mail))
      const failing = system.mailbox.fetch(async ({ bytes }) => {
        if (bytes.toString() === 'two') throw new Error('the database refuses it')
        found.push(bytes.toString())
      })
      await expect(failing).rejects.toThrow('the database refuses it')
      expect(found).toEqual(['one', 'three'])
      expect(await taken()).toEqual(['two'])
    })
    it('hands over the beginning of a mail that is too large', async () => {
      await system.put(Buffer.alloc(MOST_MAIL_BYTES + 10, 'x'))
      await system.put(Buffer.alloc(MOST_MAIL_BYTES, 'y'))
      const found: [number, boolean][] = []
      await system.mailbox.fetch(async ({ bytes, isCut }) => void found.push([bytes.length, isCut]))
      expect(found).toEqual([
        [MOST_MAIL_BYTES, true],
        [MOST_MAIL_BYTES, false],
      ])
    })
    it('takes no requests', () => {
      expect(system.mailbox.readRequest({ authorization: 'Basic eDp5' }, Buffer.from('{}')).kind).toBe('unsigned')
    })
  })
}
