// Finds misspelt settings: names in the environment that are close to one of ours.
import type { Environment } from './read-values.ts'

/** Prefixes that only this service's variables have. */
const OURS = /^(?:(?:STRIPE|NFSE|HUBSPOT|ENTITY)_(?:BR|GLOBAL)|FILES_S3)_/

type KnownVariable = { name: string; plain: string; words: number; farthest: number }

/** One sentence for each misspelt name; `names` are those of all settings. Empty variables count as unset. */
export function misspelt(environment: Environment, names: readonly string[]): string[] {
  const known = names.map((name) => ({ name, plain: plainly(name), words: wordsIn(name), farthest: farthestOf(name) }))
  const given = Object.keys(environment).filter((name) => environment[name] && !names.includes(name))
  return given.flatMap((name) => {
    const meant = nearest(name, known)
    // When the right name is set too, the other variable belongs to another program.
    if (meant !== null && !environment[meant]) return [`${name} is no setting; ${meant} is`]
    return OURS.test(name) ? [`${name} is no setting; docs/settings.md lists them all`] : []
  })
}

function nearest(given: string, known: readonly KnownVariable[]): string | null {
  const plain = plainly(given)
  const same = known.find((one) => one.plain === plain)
  if (same !== undefined) return same.name
  // Names with another number of words are not compared: STRIPE_SECRET_KEY is common, and not one of ours.
  const words = wordsIn(given)
  const near = known
    .filter((one) => one.words === words && Math.abs(one.plain.length - plain.length) <= one.farthest)
    .map((one) => ({ ...one, distance: distanceOf(plain, one.plain) }))
    .filter(({ farthest, distance }) => distance <= farthest)
    .toSorted((left, right) => left.distance - right.distance)
  return near[0]?.name ?? null
}

/** Names under nine letters are close to many others, so that only case and underscores may differ. */
const farthestOf = (name: string): number => (name.length >= 12 ? 2 : name.length >= 9 ? 1 : 0)

const wordsIn = (name: string): number => name.split('_').length

const plainly = (name: string): string => name.toUpperCase().replaceAll(/[_-]/g, '')

/** Letters to add, remove, change or swap with their neighbour (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const line = [row]
    for (let column = 1; column <= other.length; column++) {
      const at = (up: number, left: number) => (up === 0 ? line : rows[row - up])?.[column - left] ?? 0
      const cost = one[row - 1] === other[column - 1] ? 0 : 1
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      line.push(Math.min(at(1, 0) + 1, at(0, 1) + 1, at(1, 1) + cost, isSwap ? at(2, 2) + 1 : Number.POSITIVE_INFINITY))
    }
    rows.push(line)
  }
  return rows.at(-1)?.at(-1) ?? 0
}
