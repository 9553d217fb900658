// What somebody may have meant by a word that is misspelt.

const MOST = 3

/** The words that are a few keys away, the nearest first; else those that begin with it or have it as a part. */
export function nearest(typed: string, known: readonly string[]): string[] {
  const limit = Math.max(1, Math.floor(typed.length / 3))
  const near = known
    .map((word) => ({ word, distance: distanceOf(typed, word) }))
    .filter(({ distance }) => distance <= limit)
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ word }) => word)
  const related = known.filter((word) => typed.length > 2 && word.split(/[-.]/).some((part) => part.startsWith(typed)))
  return [...new Set([...near, ...related])].slice(0, MOST)
}

/** Damerau's, of neighbours: a letter too many, too few, another one, or two exchanged. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const line = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isExchanged =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const before = rows[row - 1] ?? []
      line[column] = Math.min(
        (before[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (rows[row - 2]?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(line)
  }
  return rows.at(-1)?.at(-1) ?? 0
}
