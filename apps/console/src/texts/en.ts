// What the screens say in English; texts/pt-br.ts has the same in Portuguese, and the compiler holds them together.
import { actions } from './en/actions.ts'
import { fields } from './en/fields.ts'
import { act, app, home, list, problems, record, signIn, waiting } from './en/screens.ts'
import { groups, resources, screens, sections, views, records } from './en/names.ts'
import { values } from './en/values.ts'
import { statuses } from './en/statuses.ts'

export const texts = {
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

export type Language = 'en' | 'pt-BR'
export type Texts = typeof texts
