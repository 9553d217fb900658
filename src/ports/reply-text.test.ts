// What is left of an answer: as the common mail programs quote, in Portuguese and English.
import { describe, expect, it } from 'vitest'
import { answerIn } from './reply-text.ts'

const ANSWER = 'Ainda está lento 🙁 "hoje"'

describe('answerIn', () => {
  it.each([
    [
      'Gmail in Portuguese',
      `${ANSWER}\r\n\r\nEm seg., 2 de nov. de 2026 às 10:00, Titular <no-reply@titular.example>\r\nescreveu:\r\n\r\n> Olá\r\n>\r\n> Tudo bem?\r\n`,
    ],
    [
      'Gmail in English',
      `${ANSWER}\n\nOn Mon, Nov 2, 2026 at 10:00 AM Titular <a@titular.example> wrote:\n\n> Hello\n> there\n`,
    ],
    [
      'Apple Mail',
      `${ANSWER}\n\n> Em 2 de nov. de 2026, à(s) 10:00, Titular <a@titular.example> escreveu:\n> \n> Olá\n`,
    ],
    [
      'Thunderbird',
      `Em 02/11/2026 10:00, Titular escreveu:\n> Olá\n> Tudo bem?\n\n${ANSWER}\n\n-- \nAna Souza\nAcme\n`,
    ],
    [
      'Outlook in Portuguese',
      `${ANSWER}\n\nDe: Titular <a@titular.example>\nEnviado: segunda-feira, 2 de novembro de 2026 10:00\nPara: Ana <ana@acme.example>\nAssunto: SR-2026-0001: Lento\n\nOlá, Ana\n`,
    ],
    [
      'Outlook in English',
      `${ANSWER}\r\n\r\n________________________________\r\nFrom: Titular <a@titular.example>\r\nSent: Monday, November 2, 2026 10:00 AM\r\nTo: Ana <ana@acme.example>\r\nSubject: SR-2026-0001: Slow\r\n\r\nHello`,
    ],
    [
      'Outlook on the web, in bold',
      `${ANSWER}\n\n*De:* Titular\n*Enviado:* segunda-feira\n*Para:* Ana\n*Assunto:* SR\n\nOlá`,
    ],
    ['a divider', `${ANSWER}\n\n-----Mensagem original-----\nDe: Titular\nOlá`],
    ['an original message', `${ANSWER}\n\n----- Original Message -----\nHello`],
    ['a quote without marks', `${ANSWER}\n\nOn Mon, Nov 2, 2026, Titular wrote:\n\nHello Ana\nIt is done\n`],
    ['a signature', `${ANSWER}\n\n-- \nAna Souza\nAcme Ltda.\n`],
  ])('is the answer alone: %s', (_program, text) => {
    expect(answerIn(text)).toBe(ANSWER)
  })
  it('keeps what stands between quoted lines, in its order', () => {
    expect(answerIn('On Monday, Titular <a@b.example> wrote:\n> First?\nYes.\n> Second?\nNo.\n')).toBe('Yes.\nNo.')
  })
  it.each([
    'De: São Paulo\nPara: Recife\nos arquivos não chegam',
    'On Monday the backup failed',
    'I wrote:\nthe restore is slow',
    'a > b\n  and 2 >= 1',
    '--\nno signature, but two signs',
  ])('keeps what only looks like a quote: %j', (text) => {
    expect(answerIn(text)).toBe(text)
  })
  it('is the whole text where nothing was written above, below or between', () => {
    expect(answerIn('> Yes\n> I think so\n')).toBe('> Yes\n> I think so')
    expect(answerIn(' \r\n\r\n')).toBe('')
  })
  it('takes no time for texts that are made to take it', () => {
    for (const text of [
      'On a b c d '.repeat(100_000),
      `${' '.repeat(300_000)}x`,
      '> \n'.repeat(200_000),
      'De:\n'.repeat(100_000),
    ])
      expect(answerIn(text).length).toBeLessThanOrEqual(200_000)
  })
})
