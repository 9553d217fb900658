// What municipalities publish for declarations (docs/interface/tax.md, Municipal parameters): kept answers, and a
// report of those in use.
import { Type, type Static } from 'typebox'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { CalendarDate, Closed, Id, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { MUNICIPAL_OUTCOMES } from '#ports/municipal-parameters.ts'

export const askDueQuestions = jobKind('municipal-parameters/ask', {})

const Municipality = Type.String({ pattern: '^\\d{7}$', description: 'IBGE code', examples: ['3550308'] })
const Code = Type.String({
  pattern: '^\\d{9}$',
  description: 'National code of the service and the municipal one, `000` without one',
  examples: ['010501000'],
})
const Rate = Type.String({ description: 'ISS in percent', examples: ['2.90'] })
const yesOrNo = (description: string) => Nullable(Type.Boolean({ description, examples: [true] }))
const day = (description: string) => Nullable({ ...CalendarDate, description })

export const MunicipalParameters = Type.Object(
  {
    id: Id,
    municipality: Municipality,
    service_code: Nullable({ ...Code, description: 'Null: the agreement with the national system' }),
    competence: { ...CalendarDate, description: 'The day that was asked about' },
    outcome: Type.Enum(MUNICIPAL_OUTCOMES, {
      description:
        '`published`; `none`: no agreement is in force, or no rate is published; `refused`: the question ' +
        'was not accepted',
      examples: ['published'],
    }),
    national_environment: yesOrNo('Agreement: it takes part in the national data environment'),
    national_issuer: yesOrNo('Agreement: its companies issue by the national system'),
    levied: yesOrNo('Rate: ISS is levied on the service'),
    rate: Nullable(Rate),
    valid_from: day('First day of the rate'),
    valid_until: day('Last day of the rate; null while it is open'),
    message: Nullable(Type.String({ examples: ['Alíquotas recuperadas com sucesso.'] })),
    raw: Type.String({ description: 'The answer as it came', examples: ['{"aliquotas":null,"mensagem":"…"}'] }),
    answered_at: { ...Timestamp, description: 'When this was answered for the first time' },
  },
  { description: 'An answer that differs from the one before it' },
)
export type MunicipalParameters = Static<typeof MunicipalParameters>

export const MunicipalFilters = Closed({
  ...Paging,
  municipality: Type.Optional(Municipality),
  service_code: Type.Optional(Code),
})
export type MunicipalFilters = Static<typeof MunicipalFilters>

/** What staff should look at, as values. */
export const FINDINGS = [
  'unknown',
  'unanswered',
  'no_agreement',
  'no_national_issuer',
  'not_levied',
  'rate_differs',
  'rate_forbidden',
  'rate_missing',
] as const

const question = {
  asked_at: Nullable({ ...Timestamp, description: 'When it was asked last' }),
  confirmed_at: Nullable({ ...Timestamp, description: 'When it was answered last' }),
  problem: Nullable(Type.String({ description: 'Why the last question has no answer', examples: ['503'] })),
  parameters: Nullable({ ...MunicipalParameters, description: 'What holds today; null: nothing is known' }),
}

export const MunicipalReport = Type.Object(
  {
    municipality: Nullable({ ...Municipality, description: 'Of the fiscal profile of today; null without one' }),
    competence: { ...CalendarDate, description: 'Today, in the legal entity’s time zone' },
    agreement: Type.Object(question),
    services: Type.Array(
      Type.Object({
        service_code: Code,
        used_by: Type.Array(
          Type.Object({
            by: Type.String({ description: 'Class of the fiscal profile, or SKU of a product', examples: ['PLG'] }),
            iss_rate: Nullable(Rate),
          }),
        ),
        ...question,
      }),
    ),
    findings: Type.Array(
      Type.Object({
        code: Type.Enum(FINDINGS, { examples: ['rate_differs'] }),
        service_code: Nullable(Code),
        message: Type.String({ examples: ['PLG declares 2.00 %, the municipality publishes 2.90 %'] }),
      }),
    ),
  },
  { description: 'What is published for the fiscal profile and the products of today, and what does not fit' },
)
export type MunicipalReport = Static<typeof MunicipalReport>
export type Finding = MunicipalReport['findings'][number]
