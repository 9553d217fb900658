// The sandbox’s pages of sent mail, in English.

import type { PageTexts } from './content.ts'

export const mailPagesInEnglish: PageTexts['mail'] = {
  title: 'Sent mail',
  lead: 'This installation sends no real mail. What it would have sent is kept here.',
  empty: 'No mail yet.',
  to: 'To',
  from: 'From',
  subject: 'Subject',
  date: 'Date',
  noSubject: '(no subject)',
  answer: 'Answer',
  answerText: 'As the recipient of this e-mail',
  answerHint: 'The sandbox takes answers within a minute. This one becomes a comment on the ticket.',
  answerButton: 'Send answer',
  back: 'All mail',
  attachments: 'Attachments',
  html: 'Message',
  text: 'Text version',
}
