// What is declared of a setting of the vendor's business.
import type { Static, TSchema } from 'typebox'
import type { Config } from '#config/config.ts'
import type { VariableName } from '#config/variables.ts'
import { COMPANIES } from '#kernel/values/schema.ts'
import type { StaffScope } from '#kernel/values/staff-roles.ts'

/** Whose setting it is: of one legal entity, or of the vendor where both share it. */
export const SETTINGS_OF = [...COMPANIES, 'vendor'] as const
export type SettingsOf = (typeof SETTINGS_OF)[number]

export type Declaration<Schema extends TSchema> = {
  of: readonly SettingsOf[]
  /** The scope of staff that changes it. Only administrators hold `settings`: it is for what binds the others. */
  needs: Extract<StaffScope, 'settings' | 'finances'>
  schema: Schema
  /** What else is wrong with a value that is as the schema says. */
  problem?(value: Static<Schema>): string | null
  /** What is wrong with it for this one of `of`. */
  problemOf?(value: Static<Schema>, of: SettingsOf): string | null
  /** One for all, or one for each of `of`. */
  variables: readonly VariableName[]
  /** What they say. */
  first: (config: Config, of: SettingsOf) => Static<Schema>
}

export const entityOf = ({ entity_br, entity_global }: Config['entities'], of: SettingsOf) =>
  of === 'entity_br' ? entity_br : entity_global

export const declared = <Schema extends TSchema>(one: Declaration<Schema>): Declaration<Schema> => one
