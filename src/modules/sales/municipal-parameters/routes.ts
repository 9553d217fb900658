// What municipalities publish, for administrators (docs/interface/tax.md, Municipal parameters).
import { vendor } from '#kernel/values/permissions.ts'
import { conflict } from '#kernel/values/errors.ts'
import { route } from '#http/route.ts'
import { fiscalProfileOn } from '#ports/fiscal-profiles.ts'
import { askMunicipality, keepAnswers } from './ask-municipality.ts'
import { MunicipalFilters, MunicipalParameters, MunicipalReport } from './municipal-parameters.ts'
import { municipalParameters } from './queries.ts'
import { reportNow, todayOf, viewReport } from './view-report.ts'

export const municipalParametersRoutes = [
  route({
    method: 'GET',
    path: '/admin/municipal-parameters',
    access: vendor('finances'),
    purpose: 'List what municipalities have published.',
    description: 'Each answer that differed from the one before it, the newest first.',
    query: MunicipalFilters,
    page: MunicipalParameters,
    read: (_, { query }) => municipalParameters.page(query),
  }),
  route({
    method: 'GET',
    path: '/admin/municipal-parameters/in-use',
    access: vendor('finances'),
    purpose: 'Get what is declared beside what the municipality publishes.',
    description:
      'For the fiscal profile and the active products of today. `findings` is what staff should look at; it ' +
      'changes no declaration.',
    data: MunicipalReport,
    read: (context) => viewReport(context),
  }),
  route({
    method: 'POST',
    path: '/admin/municipal-parameters/ask',
    access: vendor('finances'),
    purpose: 'Ask for the municipal parameters in use now.',
    description:
      'A job does so once a day. Without an answer, what is known stays, and `problem` says why. 409 when ' +
      'no tax authority is configured, or no fiscal profile is valid today.',
    data: MunicipalReport,
    fails: ['fiscal_profile_missing'],
    before: (io) => askMunicipality(io, 'all'),
    run: async (ctx, _input, asked) => {
      if ((await fiscalProfileOn(ctx, todayOf(ctx))) === null)
        throw conflict('fiscal_profile_missing', 'No fiscal profile is valid today')
      await keepAnswers(ctx, asked)
      return { data: await reportNow(ctx), message: 'Municipal parameters asked for' }
    },
  }),
]
