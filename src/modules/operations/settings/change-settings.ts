// PATCH /admin/settings/{company}: what is in force from now on. Whoever holds the row holds the order of the changes.
import { isDeepStrictEqual } from 'node:util'
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { one, type SystemContext } from '#kernel/data/context.ts'
import { forbidden, invalid } from '#kernel/values/errors.ts'
import { permissionFor } from '#kernel/values/staff-roles.ts'
import { declarationOf, type FirstSettings, SETTING_NAMES, type SettingName } from '#ports/company-settings.ts'
import { PIX_SETTINGS, pixProblems } from '#ports/pix-settings.ts'
import type { SettingsOf } from '#ports/setting-declaration.ts'
import type { CompanySettings, CompanySettingsChange } from './company-settings.ts'
import { companySettings } from './queries.ts'

/** 403 without the permission that each of the settings needs. */
export async function changeSettings(
  ctx: SystemContext,
  of: SettingsOf,
  body: CompanySettingsChange,
): Promise<CompanySettings> {
  const names = SETTING_NAMES.filter((name) => body[name] !== undefined)
  assertMayChange(ctx, names)
  assertTheirs(of, names, body)
  const { settings: before } = await one(ctx, companySettings.locked(of))
  const steps = names
    .map((setting) => ({ setting, from: before[setting], to: body[setting] ?? undefined }))
    .filter(({ from, to }) => !isDeepStrictEqual(from, to))
  if (steps.length > 0) {
    const changed = Object.fromEntries(steps.map(({ setting, to }) => [setting, to]))
    if (names.some((name) => name in PIX_SETTINGS))
      assertGoTogether({ ...before, ...changed }, ctx.settings.firstSettings.entity_br)
    ctx.write(companySettings.set(of, { ...before, ...changed }, ctx.now))
    for (const step of steps) ctx.write(companySettings.addToHistory(ctx, of, step))
    const picked = (values: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(steps.map(({ setting }) => [setting, values[setting] ?? null]))
    const details = { company: of, before: picked(before), after: picked(changed) }
    ctx.write(serviceEntry(ctx, 'updated', { resource: 'company_settings', id: null, details }))
  }
  return one(ctx, companySettings.shown(ctx.settings, of))
}

function assertMayChange({ caller }: SystemContext, names: readonly SettingName[]): void {
  const needed = names.map((name) => permissionFor(declarationOf(name).needs, true))
  const missing = needed.find((permission) => !caller.permissions?.includes(permission))
  if (missing !== undefined && caller.kind !== 'system')
    throw forbidden('scope_missing', `Scope not authorized: ${missing}`)
}

function assertTheirs(company: SettingsOf, names: readonly SettingName[], body: CompanySettingsChange): void {
  const problems = names.flatMap((name) => {
    const { of, problemOf } = declarationOf(name)
    const value = body[name] ?? null
    const problem = of.includes(company)
      ? value !== null && problemOf?.(value, company)
      : `is a setting of ${of.join(', ')}`
    return problem ? [[name, problem]] : []
  })
  if (problems.length > 0) throw invalid(Object.fromEntries(problems))
}

/** Whatever is set to nothing is as the environment says. */
function assertGoTogether(set: Readonly<Record<string, unknown>>, first: FirstSettings['entity_br']): void {
  const inForce = (name: 'pix_key' | 'pix_city') => textIn(set[name] ?? first[name])
  const problems = pixProblems({ pix_key: inForce('pix_key'), pix_city: inForce('pix_city') })
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
