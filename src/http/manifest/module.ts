// The manifest of a module. src/modules.ts lists the eight, and puts together what their areas declare.
import type { Area } from './area.ts'

export type Module<Announcement = never> = {
  /** The name of its folder. */
  readonly name: string
  readonly areas: readonly Area<Announcement>[]
  /** Why its operations refuse (`errors.reason`): what each means, and what to do. */
  readonly reasons: Readonly<Record<string, string>>
}
