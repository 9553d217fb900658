// docs/settings.md, made of the declarations in src/config: `npm run golden` writes it.
import { SUBJECTS, VARIABLES } from '#config/variables.ts'
import type { Variable, Variables } from '#config/variable.ts'
import { declarationOf, SETTING_NAMES } from '#ports/company-settings.ts'

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

/** The variables that give the first values of settings of the vendor. */
const FIRST_VALUES = VARIABLES.filter(({ name: of }) =>
  SETTING_NAMES.some((name) => declarationOf(name).variables.some((one) => one === of)),
)

const INTRODUCTION = `<!-- Written by \`npm run golden\` from the declarations in src/config. -->

# Settings

Environment variables, or a \`.env\` file. An invalid one stops the start with a line that says what it must be; so does,
outside the sandbox, a required one that is missing. Without any setting the service runs with the embedded database and
the sandbox, for this machine only. \`[_FILE]\` marks secrets, which may also be read from a file, as containers mount
them: \`SECRET_KEY_FILE=/run/secrets/key\` in place of \`SECRET_KEY\`. There are ${VARIABLES.length - FIRST_VALUES.length} settings of the
machine, and ${FIRST_VALUES.length} [first values](#first-values) of rules of business.
`

const FIRST = `## First values

Rules of business are no matter of the machine: staff change them while the service runs, at \`/admin/settings/{company}\`
([operations](interface/operations.md#settings)). Until a rule is set there it is as these variables say; from then on the
database's value counts, in every process, whatever the environment says later.

| Variable | When unset | Setting | Meaning |
| --- | --- | --- | --- |
`

/** The row of the variable in the table of first values. */
function firstRow(one: Variable): string {
  const [variable, unset, meaning] = cellsOf(one)
  const settings = SETTING_NAMES.flatMap((name) => {
    const { of, variables } = declarationOf(name)
    const at = variables.findIndex((each) => each === one.name)
    if (at < 0) return []
    const whose = variables.length === 1 ? of : of.slice(at, at + 1)
    return [`\`${name}\` of ${whose.map((each) => `\`${each}\``).join(', ')}`]
  })
  return `| ${variable} | ${unset} | ${settings.join('; ')} | ${meaning} |`
}

/** The whole page. */
export function settingsPage(): string {
  const subjects: Readonly<Record<string, Variables>> = SUBJECTS
  const tables = new Map<string, string[]>()
  for (const [subject, heading] of Object.entries(HEADINGS)) {
    const rows = Object.values(subjects[subject] ?? {})
      .filter((one) => !FIRST_VALUES.includes(one))
      .map(row)
    tables.set(heading, [...(tables.get(heading) ?? []), ...rows])
  }
  const parts = [...tables].map(
    ([heading, rows]) =>
      `## ${heading}\n\n| Variable | When unset | Meaning |\n| --- | --- | --- |\n${rows.join('\n')}\n`,
  )
  return [INTRODUCTION, ...parts, `${FIRST}${FIRST_VALUES.map(firstRow).join('\n')}\n`].join('\n')
}

const cellsOf = (one: Variable): [variable: string, unset: string, meaning: string] => [
  `\`${one.name}${one.secret ? '[_FILE]' : ''}\``,
  whenUnset(one),
  one.meaning,
]

const row = (one: Variable): string => `| ${cellsOf(one).join(' | ')} |`

function whenUnset({ fallback, sandboxFallback, required }: Variable): string {
  const outside = fallback ? `\`${fallback}\`` : required ? 'required' : ''
  return sandboxFallback ? `${outside}, in the sandbox \`${sandboxFallback}\`` : outside
}
