// The contract of the mail port on SMTP, against a real server.
import { mailContract } from '#ports/mail.contract.ts'
import { startSmtpServer } from '#test/stand-ins/smtp.ts'
import { createSmtp } from './smtp.ts'

mailContract('SMTP', async (from) => {
  const server = await startSmtpServer()
  const mail = createSmtp({ url: `smtp://127.0.0.1:${server.port}`, from })
  return {
    mail,
    delivered: () =>
      Promise.resolve(
        server.received.map((one) => ({
          from: one.mail.from?.address ?? '',
          to: one.recipients.join(),
          subject: one.mail.subject ?? '',
          messageId: one.mail.messageId ?? '',
          inReplyTo: one.mail.inReplyTo ?? '',
          references: [one.mail.references ?? []].flat().join(' '),
          replyTo: (one.mail.replyTo ?? []).map(({ address }) => address).join(),
          text: one.mail.text ?? '',
          html: one.mail.html ?? '',
        })),
      ),
    close: async () => {
      mail.close()
      await server.close()
    },
  }
})
