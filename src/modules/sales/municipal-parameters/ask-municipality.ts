// Asks for what the fiscal profile and the products of today need, and keeps the answers that differ. By a job each
// question once a day, and again every hour while it has no answer; by staff all of them at once. What was kept stays
// in any case.
import type { IoContext, SystemContext } from '#kernel/data/context.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { declaredProducts } from '#modules/delivery/products/offers.ts'
import type { MunicipalAnswer, MunicipalParameters, MunicipalQuestion } from '#ports/municipal-parameters.ts'
import { TaxAuthorityUnavailable } from '#ports/tax-authority.ts'
import { fiscalProfileOn } from '#ports/fiscal-profiles.ts'
import { readingOf } from '#ports/settings-in-force.ts'
import { codesInUse } from './codes-in-use.ts'
import { askDueQuestions } from './municipal-parameters.ts'
import { municipalParameters, type Question } from './queries.ts'

/** `problem`: why there is no answer, or the municipality's own words when the question was refused. */
export type AnsweredQuestion = {
  question: MunicipalQuestion
  at: Date
  answer: MunicipalAnswer | null
  problem: string | null
}

const HOUR = 3600

export async function askMunicipality(io: IoContext, which: 'due' | 'all'): Promise<AnsweredQuestion[]> {
  const { municipalParameters: port, settings } = io.ports
  const zone = settings.entities.entity_br.timeZone
  const competence = dayIn(io.now, zone)
  if (port === null) return []
  const profile = await fiscalProfileOn(readingOf(io), competence)
  if (profile === null) return []
  const [products, before] = await Promise.all([
    io.read(declaredProducts()),
    io.read(municipalParameters.questions(profile.municipality)),
  ])
  const known = new Map(before.map((one) => [one.service_code, one]))
  const isDue = (code: string) => which === 'all' || !isAnsweredOn(known.get(code), { day: competence, zone })
  const codes = ['', ...codesInUse(profile, products).keys()].filter(isDue)
  const asked: AnsweredQuestion[] = []
  // Those that had no answer longest go first, so that one that never has any holds up no other.
  for (const service_code of codes.toSorted((one, other) => askedAt(known.get(one)) - askedAt(known.get(other)))) {
    const one = await ask(port, { municipality: profile.municipality, service_code, competence }, io.now)
    asked.push(one)
    // The others would wait as long for nothing.
    if (one.answer === null) break
  }
  return asked
}

const askedAt = (question: Question | undefined): number => (question ? Date.parse(question.asked_at) : 0)

const isAnsweredOn = (question: Question | undefined, { day, zone }: { day: string; zone: string }): boolean =>
  typeof question?.answered_at === 'string' && dayIn(new Date(question.answered_at), zone) === day

async function ask(port: MunicipalParameters, question: MunicipalQuestion, at: Date): Promise<AnsweredQuestion> {
  try {
    const answer = await port.ask(question)
    return { question, at, answer, problem: null }
  } catch (error) {
    if (!(error instanceof TaxAuthorityUnavailable)) throw error
    return { question, at, answer: null, problem: error.message }
  }
}

export async function keepAnswers(ctx: SystemContext, asked: readonly AnsweredQuestion[]): Promise<void> {
  for (const { question, at, answer, problem } of asked) {
    const [noted] = await ctx.ask(municipalParameters.note(question, { at, problem }))
    if (noted && answer) await ctx.ask(municipalParameters.keep(question, answer, at))
  }
}

export const askDueQuestionsJob = systemJob(askDueQuestions, {
  everySeconds: HOUR,
  before: (io) => askMunicipality(io, 'due'),
  run: (ctx, _job, asked) => keepAnswers(ctx, asked),
})
