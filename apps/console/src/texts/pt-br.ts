// What the screens say in Portuguese, as texts/en.ts in English.
import { actions } from './pt-br/actions.ts'
import { fields } from './pt-br/fields.ts'
import { act, app, home, list, problems, record, signIn, waiting } from './pt-br/screens.ts'
import { groups, resources, screens, sections, views, records } from './pt-br/names.ts'
import { values } from './pt-br/values.ts'
import { statuses } from './pt-br/statuses.ts'
import type { Texts } from './en.ts'

export const texts: Texts = {
  app,
  signIn,
  home,
  list,
  record,
  act,
  problems,
  groups,
  resources,
  waiting,
  actions,
  fields,
  statuses,
  values,
  records,
  screens,
  sections,
  views,
}
