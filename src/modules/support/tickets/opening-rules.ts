// What customers may open tickets about now, in SQL.
import { one, type OrganizationContext, type Settings } from '#kernel/data/context.ts'
import { sql } from '#kernel/values/sql.ts'
import type { SettingValue } from '#ports/company-settings.ts'
import { settingIn } from '#ports/settings-in-force.ts'

export type OpeningRules = {
  classes: SettingValue<'ticket_classes'>
  without_entitlement: SettingValue<'tickets_without_entitlement'>
}

export const openingRules = (settings: Settings) => sql<OpeningRules>`
  select ${settingIn(settings, 'vendor', 'ticket_classes')} as classes,
         ${settingIn(settings, 'vendor', 'tickets_without_entitlement')} as without_entitlement`

export const openingRulesOf = (ctx: OrganizationContext): Promise<OpeningRules> => one(ctx, openingRules(ctx.settings))
