// docs/settings.md, made of the declarations in src/config: `npm run golden` writes it.
import { SUBJECTS, VARIABLES } from '#config/variables.ts'
import type { Variable, Variables } from '#config/variable.ts'

/** The headings of the page, in its order. Subjects with one heading share a table. */
const HEADINGS: Record<keyof typeof SUBJECTS, string> = {
  http: 'Addresses and HTTP',
  process: 'Processes',
  sandbox: 'Sandbox and demo',
  database: 'Database',
  keys: 'Keys',
  audit: 'Audit logs',
  administrator: 'First administrator',
  signIn: 'Signing in',
  staffSso: 'Single sign-on of staff',
  vendor: 'The vendor and its rules',
  privacy: 'How long rows are kept',
  portal: 'Portal',
  mail: 'Mail',
  entityBr: 'Legal entities',
  entityGlobal: 'Legal entities',
  pix: 'Legal entities',
  paymentsBr: 'Payments',
  paymentsGlobal: 'Payments',
  stripe: 'Payments',
  commerceBr: 'Commerce platform',
  commerceGlobal: 'Commerce platform',
  tax: 'Tax invoices',
  companyRegistry: 'Federal registry',
  provisioning: 'Provisioning',
  sites: 'Sites',
  issueTracker: 'Issue tracker',
  crmBr: 'CRM',
  crmGlobal: 'CRM',
  hubspot: 'CRM',
  files: 'Files',
  fileStore: 'Files',
  webhooks: 'Webhooks',
  limits: 'Limits of requests',
}

const INTRODUCTION = `<!-- Written by \`npm run golden\` from the declarations in src/config. -->

# Settings

Environment variables, or a \`.env\` file. An invalid one stops the start with a line that says what it must be; so does,
outside the sandbox, a required one that is missing. Without any setting the service runs with the embedded database and
the sandbox, for this machine only. \`[_FILE]\` marks secrets, which may also be read from a file, as containers mount
them: \`SECRET_KEY_FILE=/run/secrets/key\` in place of \`SECRET_KEY\`. There are ${VARIABLES.length} settings.
`

/** The whole page. */
export function settingsPage(): string {
  const subjects: Readonly<Record<string, Variables>> = SUBJECTS
  const tables = new Map<string, string[]>()
  for (const [subject, heading] of Object.entries(HEADINGS)) {
    const rows = Object.values(subjects[subject] ?? {}).map(row)
    tables.set(heading, [...(tables.get(heading) ?? []), ...rows])
  }
  const parts = [...tables].map(
    ([heading, rows]) =>
      `## ${heading}\n\n| Variable | When unset | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`,
  )
  return [INTRODUCTION, ...parts].join('\n')
}

const row = (one: Variable): string =>
  `| \`${one.name}${one.secret ? '[_FILE]' : ''}\` | ${whenUnset(one)} | ${one.meaning} |`

function whenUnset({ fallback, sandboxFallback, required }: Variable): string {
  const outside = fallback ? `\`${fallback}\`` : required ? 'required' : ''
  return sandboxFallback ? `${outside}, in the sandbox \`${sandboxFallback}\`` : outside
}
