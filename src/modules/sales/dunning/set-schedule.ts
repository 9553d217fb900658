// PUT /admin/dunning/{company}: the new schedule also applies to the open invoices, which are due for a check at once.
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { one, type SystemContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Company } from '#kernel/values/schema.ts'
import { enqueue } from '#kernel/jobs/jobs.ts'
import { applySchedule } from './dunning-jobs.ts'
import { cases, schedules } from './queries.ts'
import { type CompanyDunning, type CompanyDunningChange, hasLateCharges, type Steps } from './schedule.ts'

export async function setSchedule(
  ctx: SystemContext,
  company: Company,
  change: CompanyDunningChange,
): Promise<CompanyDunning> {
  assertLateCharges(company, change)
  assertNotice(change)
  assertAnnounced(change)
  const before = await one(ctx, schedules.locked(company))
  const after = await one(ctx, schedules.set(company, change, ctx.now))
  await Promise.all(cases.makeDueOf(company, ctx.now).map((statement) => ctx.ask(statement)))
  await enqueue(ctx, applySchedule, { company })
  const shown = ({ schedule, starts_on }: CompanyDunning) => ({ company, schedule, starts_on })
  const details = { before: shown(before), after: shown(after) }
  await ctx.ask(serviceEntry(ctx, 'updated', { resource: 'dunning_schedule', id: null, details }))
  return after
}

function assertNotice({ schedule: { classes = {}, ...all } }: CompanyDunningChange): void {
  const named = [
    ['schedule', all] as const,
    ...Object.entries(classes).map(([of, own]) => [`schedule.classes.${of}`, own] as const),
  ]
  const problems = named.flatMap(([path, { ends }]) =>
    ends && ends.notice_days >= ends.after_days ? [[`${path}.ends.notice_days`, 'must be less than after_days']] : [],
  )
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}

const isSilent = ({ reminder_days }: Steps, until: number): boolean =>
  !reminder_days.some((day) => day > 0 && day <= until)

/** Nobody's billing stops without a reminder that says so, of whichever class what is suspended is. */
function assertAnnounced({
  schedule: { classes = {}, bills_without_access: bills, ...all },
}: CompanyDunningChange): void {
  if (bills !== false) return
  const own = Object.entries(classes)
  const suspending = [all, ...own.map(([, steps]) => steps)].filter(({ suspends }) => suspends)
  const shortest = Math.min(...suspending.map(({ grace_days }) => grace_days))
  const problems = [
    ...(suspending.length > 0 && isSilent(all, shortest) ? [`schedule`] : []),
    ...own.flatMap(([of, steps]) =>
      steps.suspends && isSilent(steps, steps.grace_days) ? [`schedule.classes.${of}`] : [],
    ),
  ].map((path) => [`${path}.reminder_days`, 'must have a day within the grace, which says that billing stops'])
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}

function assertLateCharges(company: Company, { schedule }: CompanyDunningChange): void {
  if (hasLateCharges(company)) return
  const given = (['fine_percent', 'monthly_interest_percent'] as const).filter(
    (name) => typeof schedule[name] === 'string',
  )
  const problems = given.map((name) => [`schedule.${name}`, 'is for entity_br only'])
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}
