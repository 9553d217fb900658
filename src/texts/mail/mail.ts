// Renders a mail in the recipient's language: subject, text and HTML.

import { shadesOf } from '../brand.ts'
import { textsIn } from '../catalogue.ts'
import { formatDate, formatMoney, formatMonth, formatTime } from '../format.ts'
import type { Language } from '../language.ts'
import type { MailContent, MailKind, MailTexts, MailWords, Sender, Voice } from './content.ts'
import { mailHtml, mailText } from './layout.ts'

/** What the words of a mail need of it. */
type NamedSender = Pick<Sender, 'name' | 'timeZone'>
export type RenderedMail = { subject: string; text: string; html: string }

/** `unsubscribeUrl`: of a mail that its recipient may switch off. `isAnswerable`: somebody gets an answer to it. */
export function renderMail(
  language: Language,
  content: MailContent,
  brand: Sender,
  { unsubscribeUrl = null, isAnswerable = false }: { unsubscribeUrl?: string | null; isAnswerable?: boolean } = {},
): RenderedMail {
  const { mails } = textsIn(language)
  const words = oneLineEach(wordsFor(mails, content, voiceOf(language, brand)))
  const letter = {
    ...words,
    notes: isAnswerable ? [...words.notes, mails.answerable] : words.notes,
    language,
    brand: { ...brand, name: oneLine(brand.name) },
    shades: shadesOf(brand.color),
    support: mails.support,
    link: words.button === null ? null : linkOf(content),
    linkFallback: mails.linkFallback,
    footer: oneLine(mails.footer(brand.name)),
    unsubscribe: unsubscribeUrl === null ? null : { label: mails.unsubscribe, url: unsubscribeUrl },
  }
  return { subject: words.subject, text: mailText(letter), html: mailHtml(letter) }
}

/** The same for an inbox, without what only a mail has: greeting the mail client, a button, notes about the link. */
export function renderNotice(language: Language, content: MailContent, brand: NamedSender) {
  const { heading, paragraphs, facts } = oneLineEach(
    wordsFor(textsIn(language).mails, content, voiceOf(language, brand)),
  )
  return { title: heading, text: paragraphs.join('\n\n'), facts }
}

function wordsFor<Kind extends MailKind>(mails: MailTexts, content: MailContent<Kind>, voice: Voice): MailWords {
  return mails.kinds[content.kind](content, voice)
}

function voiceOf(language: Language, brand: NamedSender): Voice {
  return {
    brand: brand.name,
    date: (day) => formatDate(language, day),
    month: (month) => formatMonth(language, month),
    time: (moment) => formatTime(language, moment, brand.timeZone),
    money: (amount, currency) => formatMoney(language, amount, currency),
  }
}

function linkOf(content: MailContent): string | null {
  const link = 'link' in content ? content.link : null
  if (link !== null && !/^https?:\/\/[^\s<>"]+$/.test(link))
    throw new TypeError('a link in a mail must be an http(s) address')
  return link
}

function oneLineEach(words: MailWords): MailWords {
  return {
    subject: shortened(oneLine(words.subject)),
    preheader: oneLine(words.preheader),
    heading: oneLine(words.heading),
    paragraphs: words.paragraphs.map(oneLine),
    facts: words.facts.map(({ label, value }) => ({ label: oneLine(label), value: oneLine(value) })),
    button: words.button,
    notes: words.notes.map(oneLine),
  }
}

/**
 * Removes line breaks, which could add headers, and characters that reverse the reading direction: names come from
 * users.
 */
function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

function shortened(subject: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(subject), ({ segment }) => segment)
  return characters.length <= 200 ? subject : `${characters.slice(0, 199).join('')}…`
}
