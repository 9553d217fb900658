// docs/interface/operations.md, Reports: for staff over all organizations, and for the members of one about their own.
import { type Static, Type } from 'typebox'
import { mayRead } from '#kernel/data/lists/search.ts'
import { anyStaff, org, vendor } from '#kernel/values/permissions.ts'
import { permissionFor } from '#kernel/values/staff-roles.ts'
import { pascal } from '#http/openapi/operation-id.ts'
import { type ReadContext, type Route, route } from '#http/route.ts'
import { Closed, Pages, Timestamp } from '#kernel/values/schema.ts'
import { type TableFormat, TableFormatField } from '#modules/operations/exports/table-file.ts'
import { propertiesOf, readReport, type ReportAnswer, reportForms } from './read-report.ts'
import { type Report, type ReportQuery, reportQuery, type ReportScene, scopesOf } from './report.ts'
import { REPORTS } from './reports.ts'

const ReportDescription = Type.Object(
  {
    name: Type.String({ examples: ['billed'] }),
    description: Type.String({ examples: ['Finalized invoices by `issue_date`'] }),
    parameters: Type.Array(Type.String(), { examples: [['month_from', 'month_to', 'company']] }),
    columns: Type.Array(Type.String(), { examples: [['month', 'company', 'currency', 'billed']] }),
  },
  { description: 'What a report is asked, and what its rows have' },
)

const listed = ({ name, description, parameters, columns }: Report): Static<typeof ReportDescription> => ({
  name,
  description,
  parameters: [...parameters],
  columns: [...columns],
})

/** Of a report of several kinds one suffices. */
const readsOf = (report: Report, { permissions = [] }: { permissions?: readonly string[] }): boolean =>
  scopesOf(report, {}).some((scope) => permissions.includes(permissionFor(scope, false)))

const listOfReports = route({
  method: 'GET',
  path: '/admin/reports',
  access: anyStaff,
  purpose: 'List the reports that the caller may read.',
  description: 'Each with its parameters and columns. Reports whose scope the caller’s roles lack are left out.',
  query: Closed(Pages),
  page: ReportDescription,
  features: { limitsOrganizations: true },
  read: (_, { query }) => ({
    kind: 'list',
    page: query,
    items: ({ caller }) => REPORTS.filter((report) => readsOf(report, caller)).map(listed),
  }),
})

type Audience = {
  path: string
  accessOf: (report: Report) => Route['access']
  sceneOf: (context: ReadContext) => ReportScene
}
const OF_ALL: Audience = {
  path: '/admin/reports',
  accessOf: ({ scope }) => (typeof scope === 'function' ? anyStaff : vendor(scope)),
  sceneOf: ({ now, ports, organizations: only }) => ({ org: null, only, now, settings: ports.settings, mayRead }),
}
const OF_ONE: Audience = {
  path: '/reports',
  accessOf: ({ scope }) => (typeof scope === 'function' ? org() : org(scope)),
  sceneOf: ({ org: id, now, ports }) => ({ org: id, only: null, now, settings: ports.settings, mayRead }),
}

function routeOf(report: Report, audience: Audience): Route {
  const { name, purpose, description } = report
  const isOwn = audience === OF_ONE
  const Rows = Type.Unsafe<ReportAnswer['rows'][number]>(
    Type.Object(propertiesOf(report), { description: `A row of the report ${name}` }),
  )
  return route({
    method: 'GET',
    path: `${audience.path}/${name}`,
    access: audience.accessOf(report),
    purpose: `Get the report: ${isOwn ? `${purpose}, of the organization` : purpose}.`,
    description: `${description}\n\n${AS_FILE}`,
    query: Type.Unsafe<ReportQuery & { format?: TableFormat }>(
      Closed({ ...reportQuery(report, isOwn), format: Type.Optional(TableFormatField) }),
    ),
    openapi: { operationId: `get${pascal(name)}Report` },
    data: Type.Object(
      { report: Type.String({ examples: [name] }), generated_at: Timestamp, rows: Type.Array(Rows) },
      { description },
    ),
    features: {
      mayBeStale: true,
      ...(!isOwn && { limitsOrganizations: true }),
      moment: 'generated_at',
      forms: reportForms(report),
    },
    read: (context, { query }) => readReport(report, query, audience.sceneOf(context)),
  })
}

const AS_FILE =
  'As CSV or NDJSON by `format`, or without it by `Accept` (`text/csv`, `application/x-ndjson`); else as JSON.'

export const reportRoutes = [
  listOfReports,
  ...REPORTS.map((report) => routeOf(report, OF_ALL)),
  ...REPORTS.filter(({ isOwn }) => isOwn).map((report) => routeOf(report, OF_ONE)),
]
