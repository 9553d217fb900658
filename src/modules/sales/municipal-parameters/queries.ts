// All SQL of municipal parameters, which belong to no organization. An empty service code is the agreement.
import { page } from '#http/route.ts'
import { raw, type Statement, sql, when } from '#kernel/values/sql.ts'
import type { MunicipalAnswer, MunicipalQuestion } from '#ports/municipal-parameters.ts'
import type { MunicipalFilters, MunicipalParameters } from './municipal-parameters.ts'

const columns =
  raw(`id, municipality, nullif(service_code, '') as service_code, competence, outcome, national_environment,
  national_issuer, levied, rate, valid_from, valid_until, message, raw, answered_at`)

export type Question = { service_code: string; asked_at: string; answered_at: string | null; problem: string | null }

/** Its code, or where it stands. */
type Municipality = string | Statement

export const municipalParameters = {
  page: (query: MunicipalFilters) =>
    page(query, {
      columns: sql`${columns}`,
      from: sql`from municipal_parameters where true
        ${when(query.municipality, (code) => sql`and municipality = ${code}`)}
        ${when(query.service_code, (code) => sql`and service_code = ${code}`)}`,
    }),
  /** What was known on the day; for a day before the first answer that one. */
  agreementAt: (municipality: Municipality, competence: string) => sql<MunicipalParameters>`
    select ${columns} from municipal_parameters
     where municipality = ${municipality} and service_code = '' and outcome <> 'refused'
     order by (competence <= ${competence}) desc, case when competence <= ${competence} then id else -id end desc
       limit 1`,
  /**
   * By code the newest answer that says something of the day. That there is none is said of the day and those after it.
   */
  ratesAt: (municipality: Municipality, competence: string) => sql<MunicipalParameters>`
    select distinct on (municipal_parameters.service_code) ${columns} from municipal_parameters
     where municipality = ${municipality} and service_code <> ''
       and case outcome when 'published' then ${competence}::date between valid_from
         and coalesce(valid_until, 'infinity')
                        when 'none' then competence <= ${competence} end
     order by municipal_parameters.service_code, id desc`,
  questions: (municipality: Municipality) => sql<Question>`
    select service_code, asked_at, answered_at, problem from municipal_questions where municipality = ${municipality}`,

  /** Locks the question; gives no row when it was asked later already. */
  note: (
    { municipality, service_code }: MunicipalQuestion,
    { at, problem }: { at: Date; problem: string | null },
  ) => sql`
    insert into municipal_questions as q (municipality, service_code, asked_at, answered_at, problem)
    values (${municipality}, ${service_code}, ${at}, case when ${problem}::text is null then ${at}::timestamptz
      end, ${problem})
    on conflict (municipality, service_code) do update
      set asked_at = excluded.asked_at, answered_at = coalesce(excluded.answered_at, q.answered_at),
        problem = excluded.problem
      where q.asked_at <= excluded.asked_at
    returning service_code`,
  /** Unless it says the same as the one before it. */
  keep: ({ municipality, service_code, competence }: MunicipalQuestion, answer: MunicipalAnswer, at: Date) => sql`
    insert into municipal_parameters (municipality, service_code, competence, outcome, national_environment,
                                      national_issuer, levied, rate, valid_from, valid_until, message, raw, answered_at)
    select ${municipality}, ${service_code}, ${competence}::date, a.*, ${answer.message}, ${answer.raw}, ${at}
      from (select ${answer.outcome}::text as outcome, ${answer.national_environment}::boolean as environment,
                   ${answer.national_issuer}::boolean as issuer, ${answer.levied}::boolean as levied,
                   ${answer.rate}::numeric(4, 2) as rate, ${answer.valid_from}::date as valid_from,
                   ${answer.valid_until}::date as valid_until) a
     where a is distinct from (
       select row(outcome, national_environment, national_issuer, levied, rate, valid_from, valid_until)
         from municipal_parameters where municipality = ${municipality} and service_code = ${service_code}
        order by id desc limit 1)`,
}
