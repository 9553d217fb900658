// Answers to the mails about tickets, which become comments.
import { area } from '#http/manifest/area.ts'
import { answerJobs } from './jobs.ts'

export const answersByMailArea = area({
  name: 'answers-by-mail',
  description: 'Answers to the mails about tickets.',
  jobs: answerJobs,
})
