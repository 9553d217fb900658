// What municipalities publish for declarations (docs/interface/tax.md, Municipal parameters).
import { area } from '#http/manifest/area.ts'
import { askDueQuestionsJob } from './ask-municipality.ts'
import { municipalParametersRoutes } from './routes.ts'

export const municipalParametersArea = area({
  name: 'municipal-parameters',
  description: 'What municipalities publish for the declarations of tax invoices.',
  routes: municipalParametersRoutes,
  jobs: [askDueQuestionsJob],
  tables: ['municipal_parameters', 'municipal_questions'],
})
