// Reads the value of every setting from the environment. An empty variable counts as unset.
import { readFileSync } from 'node:fs'
import { misspelt } from './misspelt.ts'
import { missing, WrongSettings } from './problems.ts'
import { fileNameOf, type Variable, type Variables } from './variable.ts'
import { SUBJECTS, type Values, VARIABLES } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The given texts by the setting's name; `from` is the variable that holds the text, or its path (`NAME_FILE`). */
export type SettingTexts = ReadonlyMap<string, { text: string; from: string }>

/** Files are read for `secrets` only; other secrets in files are not given. */
export function givenIn(environment: Environment, secrets: readonly Variable[] = VARIABLES): SettingTexts {
  const known = VARIABLES.flatMap((variable) => [variable.name, fileNameOf(variable)]).filter((name) => name !== null)
  const problems = misspelt(environment, known)
  const given = new Map<string, { text: string; from: string }>()
  for (const variable of VARIABLES)
    try {
      const found = findIn(environment, variable, secrets.includes(variable))
      if (found) given.set(variable.name, found)
    } catch (error) {
      problems.push(messageOf(error))
    }
  if (problems.length > 0) throw new WrongSettings(problems.join('\n'))
  return given
}

function findIn(
  environment: Environment,
  variable: Variable,
  readsFile: boolean,
): { text: string; from: string } | null {
  const { name } = variable
  const fileName = fileNameOf(variable)
  const text = environment[name]
  const path = fileName === null ? undefined : environment[fileName]
  if (fileName === null || !path) return text ? { text, from: name } : null
  if (text) throw new Error(`${name} and ${fileName} are both set; keep one of them`)
  return readsFile ? { text: readSecret(path, fileName), from: fileName } : null
}

/** Without the line break at the end that editors and `echo` add. */
function readSecret(path: string, name: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new Error(`${name} names a file that cannot be read (${code})`, { cause: error })
  }
  if (text === '') throw new Error(`${name} names an empty file`)
  return text
}

export function valuesOf(given: SettingTexts, { sandbox }: { sandbox: boolean }): Values {
  const problems: string[] = []
  const valueOf = (variable: Variable): unknown => {
    const { name, secret, fallback, sandboxFallback = fallback } = variable
    const text = given.get(name)?.text ?? (sandbox ? sandboxFallback : fallback)
    try {
      return text === undefined ? null : variable.read(text)
    } catch (error) {
      const quoted = secret ? '' : ` (it is ${JSON.stringify(text)})`
      problems.push(`${given.get(name)?.from ?? name} ${messageOf(error)}${quoted}`)
      return null
    }
  }
  const values = mapped<Variables, unknown>(SUBJECTS, (subject) => mapped(subject, valueOf))
  if (problems.length > 0) throw new WrongSettings(problems.join('\n'))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value was read by its own variable
  return Object.freeze(values) as Values
}

/** The required settings that are missing, which only the sandbox replaces by generated values. */
export const missingIn = (given: SettingTexts): string[] =>
  VARIABLES.filter(({ name, required }) => required && !given.has(name)).map((variable) => {
    const line = missing(variable, 'SANDBOX is off')
    return typeof variable.required === 'string' ? `${line}; ${variable.required}` : line
  })

const mapped = <From, To>(record: Readonly<Record<string, From>>, change: (from: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'is wrong')
