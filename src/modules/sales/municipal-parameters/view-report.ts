// GET /admin/municipal-parameters/in-use: what is known for the fiscal profile and the products of today.
import type { SystemContext } from '#kernel/data/context.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { type DeclaredProduct, declaredProducts } from '#modules/delivery/products/offers.ts'
import { type FiscalProfile, profileIn } from '#ports/fiscal-profiles.ts'
import { sql } from '#kernel/values/sql.ts'
import { codesInUse } from './codes-in-use.ts'
import { findingsOf } from './findings.ts'
import { knownFrom } from './known-parameters.ts'
import type { Finding, MunicipalParameters, MunicipalReport } from './municipal-parameters.ts'
import { municipalParameters, type Question } from './queries.ts'

export const todayOf = ({ now, settings }: Pick<SystemContext, 'now' | 'settings'>): string =>
  dayIn(now, settings.entities.entity_br.timeZone)

type Profile = { profile: FiscalProfile | null }
type ReportRows = [Profile[], DeclaredProduct[], Question[], MunicipalParameters[], MunicipalParameters[]]

function statementsFor(settings: SystemContext['settings'], competence: string) {
  const profile = profileIn(settings, competence)
  const municipality = sql`(${profile} ->> 'municipality')`
  return [
    sql<Profile>`select ${profile} as profile`,
    declaredProducts(),
    municipalParameters.questions(municipality),
    municipalParameters.agreementAt(municipality, competence),
    municipalParameters.ratesAt(municipality, competence),
  ] as const
}

function reportFrom(
  competence: string,
  [[found], products, questions, [agreement], rates]: ReportRows,
): MunicipalReport {
  const profile = found?.profile ?? null
  const asked = new Map(questions.map((one) => [one.service_code, one]))
  const about = (code: string, parameters: MunicipalParameters | undefined) => ({
    asked_at: asked.get(code)?.asked_at ?? null,
    confirmed_at: asked.get(code)?.answered_at ?? null,
    problem: asked.get(code)?.problem ?? null,
    parameters: parameters ?? null,
  })
  const head = { municipality: profile?.municipality ?? null, competence, agreement: about('', agreement) }
  if (profile === null) return { ...head, services: [], findings: [] }
  const known = knownFrom(agreement, rates)
  const uses = codesInUse(profile, products)
  return {
    ...head,
    services: [...uses].map(([service_code, used_by]) => ({
      service_code,
      used_by,
      ...about(service_code, known.rates.get(service_code)),
    })),
    findings: [...findingsOf(profile, known, uses), ...unanswered(['', ...uses.keys()], asked)],
  }
}

const unanswered = (codes: readonly string[], asked: ReadonlyMap<string, Question>): Finding[] =>
  codes.flatMap((code) => {
    const problem = asked.get(code)?.problem ?? null
    if (problem === null) return []
    return [{ code: 'unanswered' as const, service_code: code === '' ? null : code, message: problem }]
  })

export function viewReport({ now, ports: { settings } }: ReadContext): ReadPlan<MunicipalReport> {
  const today = todayOf({ now, settings })
  return parts(statementsFor(settings, today), (read) => reportFrom(today, read))
}

export async function reportNow(ctx: SystemContext): Promise<MunicipalReport> {
  const today = todayOf(ctx)
  const [profile, products, questions, agreement, rates] = statementsFor(ctx.settings, today)
  return reportFrom(
    today,
    await Promise.all([ctx.ask(profile), ctx.ask(products), ctx.ask(questions), ctx.ask(agreement), ctx.ask(rates)]),
  )
}
