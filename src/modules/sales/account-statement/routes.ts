// docs/interface/sales.md, Statement of account.
import { PDF } from '#modules/documents/documents-of-record/parties.ts'
import { org } from '#kernel/values/permissions.ts'
import { fileRoute, route } from '#http/route.ts'
import { CSV } from '#kernel/values/text/csv.ts'
import { AccountStatement, StatementPeriod } from './account-statement.ts'
import { MOST_LINES, statementFacts, statementPlan } from './make-statement.ts'
import { statementCsv } from './statement-csv.ts'
import { MOST_PDF_LINES, statementPdf } from './statement-document.ts'

const WHAT = 'Of one legal entity in one currency.'

export const accountStatementRoutes = [
  route({
    method: 'GET',
    path: '/account-statement',
    access: org('finances'),
    purpose: 'Get the statement of account of the organization.',
    description: `${WHAT} At most ${MOST_LINES} lines (422).`,
    query: StatementPeriod,
    data: AccountStatement,
    read: ({ org: id }, { query }) => statementPlan(id, query),
  }),
  fileRoute({
    path: '/account-statement/pdf',
    access: org('finances'),
    purpose: 'Download the statement of account as PDF.',
    description:
      `${WHAT} In the language of \`Accept-Language\`, else that of the organization’s country. At most ` +
      `${MOST_PDF_LINES} lines (422).`,
    query: StatementPeriod,
    contentType: PDF,
    read: ({ org: id }, { query }) => statementFacts(id, query, MOST_PDF_LINES),
    make: statementPdf,
  }),
  fileRoute({
    path: '/account-statement/csv',
    access: org('finances'),
    purpose: 'Download the statement of account as CSV.',
    description: `${WHAT} At most ${MOST_LINES} lines (422).`,
    query: StatementPeriod,
    contentType: CSV,
    read: ({ org: id }, { query }) => statementFacts(id, query),
    make: statementCsv,
  }),
]
