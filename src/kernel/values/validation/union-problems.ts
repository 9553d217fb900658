// What is wrong with a value that may be of several kinds: only the problems of the kind that it is of. That a text is
// no integer helps nobody who meant an amount, and an integer may be a hundredth of it.

/** As the library names it. */
export type Problem = {
  keyword: string
  schemaPath: string
  instancePath: string
  params: Record<string, unknown>
}

/** The list without what unions say of kinds that a value is not of. */
export function withoutOtherKinds(problems: readonly Problem[]): readonly Problem[] {
  const unions = problems.filter(({ keyword }) => keyword === 'anyOf')
  return unions.reduce(settle, problems)
}

function settle(problems: readonly Problem[], union: Problem): readonly Problem[] {
  const inside = problems.filter((problem) => isInside(problem, union))
  const others = inside.filter((problem) => isOfOtherKind(problem, union)).map(({ schemaPath }) => schemaPath)
  const fitting = inside.filter(({ schemaPath }) => !others.some((kind) => isBelow(schemaPath, kind)))
  const rest = problems.filter((problem) => problem !== union && !inside.includes(problem))
  return fitting.length > 0 ? [...rest, ...fitting] : [...rest, noneOf(union, inside)]
}

const isInside = ({ schemaPath, instancePath }: Problem, union: Problem): boolean =>
  schemaPath.startsWith(`${union.schemaPath}/anyOf/`) && isBelow(instancePath, union.instancePath)

const isBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`)

/** The value itself, not what is inside of it, has another type than this member of the union. */
const isOfOtherKind = ({ keyword, schemaPath, instancePath }: Problem, union: Problem): boolean =>
  keyword === 'type' &&
  instancePath === union.instancePath &&
  /^\d+$/.test(schemaPath.slice(`${union.schemaPath}/anyOf/`.length))

const noneOf = (union: Problem, inside: readonly Problem[]): Problem => {
  const types = new Set(inside.flatMap(({ params }) => params['type'] ?? []).map(String))
  return { ...union, keyword: 'type', params: { type: [...types] } }
}
