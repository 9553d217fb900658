// docs/interface/operations.md, Reports: for staff over all organizations, and for the members of one about their own.
import { type Static, Type } from 'typebox'
import { anyStaff, org, vendor } from '#kernel/values/permissions.ts'
import { permissionFor } from '#kernel/values/staff-roles.ts'
import { pascal } from '#http/openapi/operation-id.ts'
import { fileRoute, type ReadContext, type Route, route } from '#http/route.ts'
import { Closed, Pages, Timestamp } from '#kernel/values/schema.ts'
import { TABLE_CONTENT_TYPES, type TableFormat, TableFormatField } from '#kernel/values/text/table-file.ts'
import { formatOf, propertiesOf, readReport, type ReportAnswer, reportFile } from './read-report.ts'
import { type Report, type ReportQuery, reportQuery, type ReportScene } from './report.ts'
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
    items: ({ caller }) =>
      REPORTS.filter(({ scope }) => caller.permissions?.includes(permissionFor(scope, false))).map(listed),
  }),
})

type Audience = { path: string; by: 'staff' | 'members'; sceneOf: (context: ReadContext) => ReportScene }
const OF_ALL: Audience = {
  path: '/admin/reports',
  by: 'staff',
  sceneOf: ({ now, ports, organizations: only }) => ({ org: null, only, now, settings: ports.settings }),
}
const OF_ONE: Audience = {
  path: '/reports',
  by: 'members',
  sceneOf: ({ org: id, now, ports }) => ({ org: id, only: null, now, settings: ports.settings }),
}

function routesOf(report: Report, { path, by, sceneOf }: Audience): Route[] {
  const { name, scope, purpose } = report
  const isOwn = by === 'members'
  const asked = reportQuery(report, isOwn)
  const about = isOwn ? `${purpose}, of the organization` : purpose
  const access = isOwn ? org(scope) : vendor(scope)
  const Rows = Type.Unsafe<ReportAnswer['rows'][number]>(
    Type.Object(propertiesOf(report), { description: `A row of the report ${name}` }),
  )
  const data = Type.Object(
    { report: Type.String({ examples: [name] }), generated_at: Timestamp, rows: Type.Array(Rows) },
    { description: report.description },
  )
  return [
    route({
      method: 'GET',
      path: `${path}/${name}`,
      access,
      purpose: `Get the report: ${about}.`,
      description: report.description,
      query: Type.Unsafe<ReportQuery>(Closed(asked)),
      openapi: { operationId: `${isOwn ? 'g' : 'adminG'}et${pascal(name)}Report` },
      data,
      features: { mayBeStale: true, ...(!isOwn && { limitsOrganizations: true }), moment: 'generated_at' },
      read: (context, { query }) => readReport({ report, scene: sceneOf(context) }, query, (answer) => answer),
    }),
    fileRoute({
      path: `${path}/${name}/download`,
      access,
      purpose: `Download the report: ${about}.`,
      description:
        'The same rows as CSV or NDJSON: by `format`, or without it by `Accept` (`text/csv`, `application/x-ndjson`).',
      query: Type.Unsafe<ReportQuery & { format?: TableFormat }>(
        Closed({ ...asked, format: Type.Optional(TableFormatField) }),
      ),
      openapi: { operationId: `${isOwn ? 'd' : 'adminD'}ownload${pascal(name)}Report` },
      features: { mayBeStale: true, ...(!isOwn && { limitsOrganizations: true }) },
      contentType: TABLE_CONTENT_TYPES,
      // The form is refused after the access check, which travels with the rows.
      read: (context, { query: { format, ...query }, raw }) =>
        readReport({ report, scene: sceneOf(context) }, query, (answer) => ({
          ...answer,
          format: formatOf(format, raw.headers['accept']),
        })),
      make: reportFile(report),
    }),
  ]
}

export const reportRoutes = [
  listOfReports,
  ...REPORTS.flatMap((report) => routesOf(report, OF_ALL)),
  ...REPORTS.filter(({ isOwn }) => isOwn).flatMap((report) => routesOf(report, OF_ONE)),
]
