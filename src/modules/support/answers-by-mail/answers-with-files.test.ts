// The files of answers by mail: through the checks of an upload; what is refused is named, and the text is kept.
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { answerScene } from '#test/scenes/answers.ts'
import { MOST_MAIL_BYTES } from '#ports/inbound-mail.ts'

const MAX = 3_000_000
const app = await appOfFile({ environment: { FILES_MAX_BYTES: String(MAX), FILES_QUOTA_COUNT: '6' } })
const scene = await answerScene(app)
const { agent, asked } = scene
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n')
const PROGRAM = Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(200)])

const lastOf = async (id: number): Promise<string> => (await scene.comments(id)).at(-1).body
const namesOf = async (id: number) => (await scene.attachments(id)).map(({ name }: { name: string }) => name)

describe('the files of an answer', () => {
  it('are attached as the member’s, with type, name and hash of an upload', async () => {
    const { id, to } = await asked()
    await scene.answer({
      from: agent.email,
      to,
      text: 'Here',
      files: [{ name: '../log "1".pdf'.replaceAll('"', ''), content: PDF }],
    })
    expect(await lastOf(id)).toBe('Here')
    expect(await scene.attachments(id)).toMatchObject([
      {
        name: 'log 1.pdf',
        content_type: 'application/pdf',
        size: PDF.length,
        internal: false,
        uploaded_by: agent.userId,
      },
    ])
    const [{ id: file }] = await scene.attachments(id)
    const content = await agent.get(`/tickets/${id}/attachments/${file}/content`)
    expect(content.raw.rawPayload.equals(PDF)).toBe(true)
  })
  it('may come without a text', async () => {
    const { id, to } = await asked()
    await scene.answer({ from: agent.email, to, text: '', files: [{ name: 'log.pdf', content: PDF }] })
    expect(await lastOf(id)).toBe('Answer without text, with attachments only.')
  })
  it('are named in the member’s language where they are refused: a program, one too large, an empty one', async () => {
    const { id, to } = await asked()
    await app.database.query(`update users set language = 'pt-BR' where id = $1`, [agent.userId])
    const files = [
      { name: 'setup.exe', content: PROGRAM },
      { name: 'invoice.pdf', content: PROGRAM },
      { name: 'video.bin', content: randomBytes(MAX + 1) },
      { name: 'empty.txt', content: Buffer.alloc(0) },
      { name: 'log.pdf', content: PDF },
    ]
    await scene.answer({ from: agent.email, to, text: 'Segue', files })
    const refusal = 'tipo de arquivo não aceito, ou arquivo vazio'
    expect(await lastOf(id)).toBe(
      [
        'Segue\n',
        `Não anexado: setup.exe (${refusal})`,
        `Não anexado: invoice.pdf (${refusal})`,
        'Não anexado: video.bin (grande demais)',
        `Não anexado: empty.txt (${refusal})`,
      ].join('\n'),
    )
    expect(await namesOf(id)).toEqual(['log.pdf'])
    await app.database.query(`update users set language = 'en' where id = $1`, [agent.userId])
  })
  it('are named beyond the quota of the organization, also where the quota is reached by the same answer', async () => {
    const { id, to } = await asked()
    const files = Array.from({ length: 5 }, (_, n) => ({
      name: `log ${n}.pdf`,
      content: Buffer.concat([PDF, randomBytes(n + 1)]),
    }))
    await scene.answer({ from: agent.email, to, text: 'All', files })
    expect(await namesOf(id)).toEqual(['log 0.pdf', 'log 1.pdf', 'log 2.pdf'])
    const why = 'the organization’s space for files is used up'
    expect(await lastOf(id)).toBe(`All\n\nNot attached: log 3.pdf (${why})\nNot attached: log 4.pdf (${why})`)
    // The bytes of those that were not kept have a job that removes them.
    app.clock.advance(2 * 3600 + 60)
    await scene.work()
    expect(await app.database.query(`select id from jobs where kind = 'files/remove'`)).toEqual([])
  })
  it('of a mail that is too large: one of 30 MB is named, and one beyond the limit is cut off', async () => {
    await app.database.query(`delete from ticket_attachments`)
    const { id, to } = await asked()
    const files = [{ name: 'dump.bin', content: randomBytes(22_000_000) }]
    await scene.answer({ from: agent.email, to, text: 'The dump', files })
    expect(await lastOf(id)).toBe('The dump\n\nNot attached: dump.bin (too large)')
    const large = [
      { name: 'log.pdf', content: PDF },
      { name: 'dump.bin', content: randomBytes(MOST_MAIL_BYTES) },
    ]
    await scene.answer({ from: agent.email, to, text: 'Again', files: large })
    expect(await lastOf(id)).toBe(
      'Again\n\nNot attached: dump.bin (the e-mail is too large; upload the file in the portal)',
    )
    expect(await namesOf(id)).toEqual(['log.pdf'])
  })
  it('are 20 at most, and a text is as long as that of a request', async () => {
    await app.database.query(`delete from ticket_attachments`)
    const { id, to } = await asked()
    const files = Array.from({ length: 22 }, (_, n) => ({ name: `${n}.exe`, content: PROGRAM }))
    await scene.answer({ from: agent.email, to, text: '🙂'.repeat(15_000), files })
    const body = await lastOf(id)
    expect(body.length).toBeLessThanOrEqual(20_000)
    expect(body).toMatch(/🙂…\n\n\(The text of the e-mail is longer/)
    expect(body).toContain('Not attached: 21.exe (too many attachments)')
  })
  it('are not stored for whoever may not answer', async () => {
    const { to } = await asked()
    const before = await app.database.query(`select id from jobs where kind = 'files/remove'`)
    await scene.answer({ from: 'eve@evil.example', to, files: [{ name: 'log.pdf', content: PDF }] })
    expect(await app.database.query(`select id from jobs where kind = 'files/remove'`)).toEqual(before)
  })
})
