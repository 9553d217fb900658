// A stand-in for what municipalities publish, by service code; an empty code is the agreement.
import type { MunicipalAnswer, MunicipalParameters, MunicipalQuestion } from '#ports/municipal-parameters.ts'
import { TaxAuthorityUnavailable } from '#ports/tax-authority.ts'

export const NONE: MunicipalAnswer = {
  outcome: 'none',
  national_environment: null,
  national_issuer: null,
  levied: null,
  rate: null,
  valid_from: null,
  valid_until: null,
  message: 'Alíquotas não encontradas.',
  raw: '{"aliquotas":null,"mensagem":"Alíquotas não encontradas."}',
}
export const AGREEMENT: MunicipalAnswer = {
  ...NONE,
  outcome: 'published',
  national_environment: true,
  national_issuer: true,
  message: null,
  raw: '{"parametrosConvenio":{}}',
}
export const rateOf = (
  rate: string,
  valid_from = '2020-01-01',
  valid_until: string | null = null,
): MunicipalAnswer => ({
  ...NONE,
  outcome: 'published',
  levied: true,
  rate,
  valid_from,
  valid_until,
  message: null,
  raw: `{"aliquotas":{"x":[{"Aliq":${rate}}]}}`,
})

export type MunicipalityStandIn = MunicipalParameters & {
  /** `away`: not reached. What is not listed is not published. */
  answers: Map<string, MunicipalAnswer | 'away'>
  asked: MunicipalQuestion[]
  /** If set, each question waits for it. */
  pause: (() => Promise<void>) | null
  reset(): void
}

export function municipalityStandIn(): MunicipalityStandIn {
  const standIn: MunicipalityStandIn = {
    answers: new Map([['', AGREEMENT]]),
    asked: [],
    pause: null,
    reset() {
      standIn.answers = new Map([['', AGREEMENT]])
      standIn.asked.length = 0
      standIn.pause = null
    },
    async ask(question) {
      standIn.asked.push(question)
      const answer = standIn.answers.get(question.service_code) ?? NONE
      await standIn.pause?.()
      if (answer === 'away') throw new TaxAuthorityUnavailable('503')
      return answer
    },
  }
  return standIn
}
