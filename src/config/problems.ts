// Collects all problems of the settings in one error, a line each.
import type { Variable } from './variable.ts'

export class WrongSettings extends Error {}

export const missing = ({ name }: Variable, because: string): string => `${name} is missing (${because})`

/** Makes every part; throws one error with the problems of all parts, and `hint` as its last line. */
export function allOf<Parts extends object>(
  makers: { [Name in keyof Parts]: () => Parts[Name] },
  { problems = [], hint = null }: { problems?: readonly string[]; hint?: string | null } = {},
): Parts {
  const lines = [...problems]
  const parts: Partial<Parts> = {}
  for (const name in makers)
    try {
      parts[name] = makers[name]()
    } catch (error) {
      if (!(error instanceof WrongSettings)) throw error
      lines.push(error.message)
    }
  if (lines.length > 0) throw new WrongSettings([...lines, ...(hint === null ? [] : [hint])].join('\n'))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each part was made above, or the error thrown
  return parts as Parts
}

/** The values of `properties`, once they are neither unset nor empty; `because` says why they are required. */
export function needed<Value extends object, Property extends keyof Value & string>(
  variables: Readonly<Record<Property, Variable>>,
  values: Value,
  { properties, because }: { properties: readonly Property[]; because: string },
): { [One in Property]: NonNullable<Value[One]> } {
  const lines = properties.flatMap((property) => {
    const value = values[property]
    if (value === null) return [missing(variables[property], because)]
    return Array.isArray(value) && value.length === 0 ? [`${variables[property].name} is empty (${because})`] : []
  })
  if (lines.length > 0) throw new WrongSettings(lines.join('\n'))
  const given = Object.fromEntries(properties.map((property) => [property, values[property]]))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- none of them is null
  return given as { [One in Property]: NonNullable<Value[One]> }
}
