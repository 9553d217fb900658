// The problems of fields by their paths: `schedule.reminder_days.0` belongs to the field of the reminder days.

export type Says = { labelOf: (field: string) => string; valueOf: (number: number) => string }

/** What the address of a request needs is missed before anything is sent. */
export class MissingFields extends Error {
  readonly fields: readonly string[]

  constructor(fields: readonly string[]) {
    super('required fields are empty')
    this.fields = fields
  }
}

const wordsOf = (path: readonly string[], { labelOf, valueOf }: Says): string =>
  path.map((part) => (/^\d+$/.test(part) ? valueOf(Number(part) + 1) : labelOf(part))).join(', ')

export function saidOf(path: string, problem: string, says: Says): string {
  const words = path === '' ? '' : wordsOf(path.split('.'), says)
  return words === '' ? problem : `${words}: ${problem}`
}

/** The field of a path, and what is behind it. The last name that is a field counts; `ends.act` is `ends_act`. */
function fieldOf(path: string, fields: readonly string[]): { field: string; rest: string } | null {
  const parts = path.split('.')
  for (let at = parts.length - 1; at >= 0; at--)
    for (const name of [parts.slice(Math.max(0, at - 1), at + 1).join('_'), parts[at] ?? ''])
      if (fields.includes(name)) return { field: name, rest: parts.slice(at + 1).join('.') }
  return null
}

export function placed(problems: Readonly<Record<string, string>>, fields: readonly string[], says: Says) {
  const beside: Record<string, string> = {}
  const others: [path: string, problem: string][] = []
  for (const [path, problem] of Object.entries(problems)) {
    const found = fieldOf(path, fields)
    if (!found) others.push([path, problem])
    else {
      const said = saidOf(found.rest, problem, says)
      const before = beside[found.field]
      beside[found.field] = before === undefined ? said : `${before}; ${said}`
    }
  }
  return { beside, others }
}
