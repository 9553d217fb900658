// GET /admin/municipal-parameters/in-use: what is known for the fiscal profile and the products of today.
import type { SystemContext } from '#kernel/data/context.ts'
import { parts, type ReadContext, type ReadPlan } from '#http/route.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { type DeclaredProduct, declaredProducts } from '#modules/delivery/products/offers.ts'
import type { FiscalProfile } from '#ports/tax-authority.ts'
import { codesInUse } from './codes-in-use.ts'
import { findingsOf } from './findings.ts'
import { knownFrom } from './known-parameters.ts'
import type { Finding, MunicipalParameters, MunicipalReport } from './municipal-parameters.ts'
import { municipalParameters, type Question } from './queries.ts'

/** The day, and the profile that applies on it. */
export type Today = { competence: string; profile: FiscalProfile | null }

export function todayOf({ now, ports }: Pick<ReadContext, 'now' | 'ports'>): Today {
  const competence = dayIn(now, ports.settings.entities.entity_br.timeZone)
  return { competence, profile: ports.taxAuthority?.profileAt(competence) ?? null }
}

type ReportRows = [DeclaredProduct[], Question[], MunicipalParameters[], MunicipalParameters[]]

const statementsFor = ({ competence, profile }: Today) => {
  const municipality = profile?.municipality ?? ''
  return [
    declaredProducts(),
    municipalParameters.questions(municipality),
    municipalParameters.agreementAt(municipality, competence),
    municipalParameters.ratesAt(municipality, competence),
  ] as const
}

function reportFrom(
  { competence, profile }: Today,
  [products, questions, [agreement], rates]: ReportRows,
): MunicipalReport {
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

export function viewReport(context: ReadContext): ReadPlan<MunicipalReport> {
  const today = todayOf(context)
  return parts(statementsFor(today), (read) => reportFrom(today, read))
}

export async function reportNow(ctx: SystemContext, today: Today): Promise<MunicipalReport> {
  const [products, questions, agreement, rates] = statementsFor(today)
  return reportFrom(
    today,
    await Promise.all([ctx.ask(products), ctx.ask(questions), ctx.ask(agreement), ctx.ask(rates)]),
  )
}
