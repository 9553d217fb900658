// How a mail is read: its sender, its recipients, text that is HTML only, files, and whether a program wrote it.
import { describe, expect, it } from 'vitest'
import { readableBytes, readBody, readHead } from './received-mail.ts'
import { answerIn } from './reply-text.ts'

const mail = (headers: readonly string[], body = 'Hi') => Buffer.from([...headers, '', body].join('\r\n'))
const FROM = 'From: Ana <Ana@Acme.example>'

describe('readHead and readBody', () => {
  it('reads the one sender, and all addresses that it may have come to, those of the envelope first', async () => {
    const read = await readHead(
      mail([
        'Delivered-To: <Support+1@vendor.example>',
        'Message-ID: <a@acme.example>',
        FROM,
        'To: "eve@evil.example" <desk@vendor.example>, Team: x@vendor.example, y@vendor.example;',
        'Cc: z@ação.example',
      ]),
    )
    expect(read).toMatchObject({ from: 'ana@acme.example', messageId: '<a@acme.example>', isAutomatic: false })
    expect(read.recipients).toEqual([
      'support+1@vendor.example',
      'desk@vendor.example',
      'x@vendor.example',
      'y@vendor.example',
      'z@xn--ao-siap.example',
    ])
  })
  it.each([
    ['none', []],
    ['two in one field', ['From: ana@acme.example, eve@evil.example']],
    ['two fields', [FROM, 'From: eve@evil.example']],
    ['a group', ['From: Team: ana@acme.example, eve@evil.example;']],
    ['two in brackets', ['From: <ana@acme.example> <eve@acme.example>']],
    ['two in a row', ['From: ana@acme.example eve@acme.example']],
    ['two in a field that is broken', ['From: ana@acme.example\rFrom: eve@acme.example']],
    ['another as a name', ['From: eve@acme.example <ana@acme.example>']],
    ['one in a field without end', [`From: ${'"\\'.repeat(30_000)} <ana@acme.example>`]],
    ['one that is encoded', ['From: =?utf-8?q?=3Cana=40acme.example=3E?=']],
  ])('has no sender of %s', async (_what, headers) => {
    expect((await readHead(mail(headers))).from).toBeNull()
  })
  it('takes a name that looks like an address for a name', async () => {
    for (const name of [
      '"ana@acme.example"',
      '"Ana \\"ana@acme.example\\""',
      '(ana@acme.example)',
      '=?utf-8?q?ana=40acme?=',
    ])
      expect((await readHead(mail([`From: ${name} <eve@evil.example>`]))).from).toBe('eve@evil.example')
    for (const field of [
      'From: Eve@evil.example',
      'From: eve@evil.example <eve@evil.example>',
      'From: eve@Evil.example (Eve)',
    ])
      expect((await readHead(mail([field]))).from).toBe('eve@evil.example')
    expect((await readHead(mail(['From: Zé <zé@ação.example>']))).from).toBe('zé@xn--ao-siap.example')
  })
  it.each([
    'Auto-Submitted: auto-replied',
    'Auto-Submitted: auto-generated (vacation)',
    'Precedence: bulk',
    'Precedence: Auto_Reply',
    'X-Autoreply: yes',
    'List-Id: <all.acme.example>',
    'Return-Path: <>',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  ])('knows that no person wrote it: %s', async (header) => {
    expect((await readHead(mail([FROM, header]))).isAutomatic).toBe(true)
  })
  it.each(['Auto-Submitted: no', 'Precedence: normal', 'Return-Path: <ana@acme.example>'])(
    'knows that a person may have: %s',
    async (header) => {
      expect((await readHead(mail([FROM, header]))).isAutomatic).toBe(false)
    },
  )
  it.each([
    [
      'Gmail',
      '<div dir="ltr">Ol&aacute; &amp; obrigado<div><br></div><div>Segue</div></div><br><div class="gmail_quote"><div class="gmail_attr">Em seg., Titular escreveu:</div><blockquote>quoted</blockquote></div>',
    ],
    [
      'Outlook',
      '<html><head><style>p{color:red}</style></head><body><div>Olá &amp; obrigado</div><div><br></div><div>Segue</div><hr><div id="divRplyFwdMsg"><b>De:</b> x</div><div>quoted</div></body></html>',
    ],
    [
      'Apple Mail',
      '<body>Olá &amp; obrigado<br><br>Segue<div><blockquote type="cite"><div>Em 2 de nov., Titular escreveu:</div>quoted</blockquote></div></body>',
    ],
  ])('makes text of HTML alone, without the quote: %s', async (_program, html) => {
    const encoded = Buffer.from(html).toString('base64')
    const headers = [FROM, 'Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64']
    const answer = answerIn((await readBody(mail(headers, encoded))).text)
    expect(answer).toMatch(/^Olá & obrigado\n+Segue$/)
  })
  it('keeps one line for each block and point', async () => {
    const html = '<div>um</div><div>dois</div><ul><li>três</li><li>quatro</li></ul>'
    expect(answerIn((await readBody(mail([FROM, 'Content-Type: text/html; charset=utf-8'], html))).text)).toBe(
      'um\ndois\n\n- três\n- quatro',
    )
  })
  it('reads files, also a mail within, and the beginning of a mail', async () => {
    const body = [
      '--b',
      'Content-Type: text/plain',
      '',
      'See',
      '--b',
      'Content-Type: application/pdf; name="a b.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('%PDF-1.4').toString('base64'),
      '--b',
      'Content-Type: message/rfc822',
      '',
      'From: x@y.example',
      'Subject: inner',
      '',
      'inner text',
      '--b--',
      '',
    ].join('\r\n')
    const whole = mail([FROM, 'Content-Type: multipart/mixed; boundary=b'], body)
    const { text, files } = await readBody(whole)
    expect(text.trim()).toBe('See')
    expect(files.map(({ name }) => name)).toHaveLength(2)
    expect(files[0]).toEqual({ name: 'a b.pdf', content: Buffer.from('%PDF-1.4') })
    const beginning = await readBody(whole.subarray(0, whole.indexOf('base64') + 12))
    expect(beginning.text.trim()).toBe('See')
    expect(beginning.files).toHaveLength(1)
  })
  it('reads whatever bytes there are', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from([0, 255, 10, 13, 0]), Buffer.from('no header at all')])
      expect((await readHead(bytes)).from).toBeNull()
  })
  it('reads fields over several lines, and leaves out lists without end and lines that are no fields', async () => {
    const folded = ['TO :', ' a@b.example,', '\tc@d.example', 'From', 'Message-Id:', ' <a:b@c.example>', FROM]
    expect(await readHead(mail([...folded, `Cc: ${'e@f.example,'.repeat(2000)}`]))).toMatchObject({
      recipients: ['a@b.example', 'c@d.example'],
      messageId: '<a:b@c.example>',
      from: 'ana@acme.example',
    })
  })
  it('takes nothing of a body for a field, and refuses fields without end', async () => {
    const within = ['To: a@b.example', '', 'To: c@d.example', '--b', 'From: eve@evil.example'].join('\n')
    expect(await readHead(Buffer.from(within))).toMatchObject({ recipients: ['a@b.example'], from: null })
    expect((await readHead(Buffer.from(`\r\n${within}`))).recipients).toEqual([])
    const endless = Buffer.from(`To: ${'a@b.example, '.repeat(20_000)}`)
    await expect(readHead(endless)).rejects.toThrow('its fields have more than 131072 bytes')
  })
})

describe('readableBytes', () => {
  it('is all of a mail with a file of 30 MB, and of a long text', () => {
    const file = `${'A'.repeat(76)}\r\n`.repeat(390_000)
    for (const bytes of [mail([FROM], file), mail([FROM], 'a word\r\n'.repeat(39_000)), Buffer.alloc(0)])
      expect(readableBytes(bytes)).toBe(bytes.length)
  })
  it.each([
    ['empty lines', '\n', 40_000],
    ['parts', '--b\n\n', 12_000],
    ['short lines', 'a b\r\n', 200_000],
  ])('ends after so many %s', (_what, line, most) => {
    const bytes = Buffer.from(line.repeat(500_000))
    expect(readableBytes(bytes)).toBeGreaterThan(most / 2)
    expect(readableBytes(bytes)).toBeLessThanOrEqual(most)
  })
})
