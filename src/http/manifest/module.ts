// The manifest of a module. src/modules.ts lists the eight, and puts together what their areas declare.
import type { Area } from './area.ts'

export type Module<Announcement = never> = {
  readonly areas: readonly Area<Announcement>[]
}
