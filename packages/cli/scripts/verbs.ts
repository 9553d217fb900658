// The name of an operation on the command line: the words of its `operationId` without those that its area says.

const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s-]+/)

const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(x|ch|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1')

/**
 * `listQuotes` of quotes is `list`, `createQuoteLink` `create-link`, `listEntitlementOrders` of orders
 * `list-for-entitlement`, `adminListQuotes` `admin-list`.
 */
export function verbOf(id: string, path: string, area: string, areas: ReadonlySet<string>): string {
  const [first = '', ...others] = wordsOf(id)
  const isAdmin = first === 'admin' && others.length > 0
  const words = isAdmin ? others : [first, ...others]
  const prefix = isAdmin && area !== 'admin' ? 'admin-' : ''
  return prefix + withoutNoun(words, area, path, areas).join('-')
}

function withoutNoun(words: readonly string[], area: string, path: string, areas: ReadonlySet<string>): string[] {
  const noun = wordsOf(area).map(singular)
  const at = words.findIndex(
    (_word, index) => index > 0 && noun.every((one, offset) => singular(words[index + offset] ?? '') === one),
  )
  if (at < 0) return [...words]
  const [verb = '', ...owner] = words.slice(0, at)
  const rest = words.slice(at + noun.length)
  const isOfOrganization = owner.join('-') === 'organization' && path.startsWith('/organizations/')
  const isOfOther =
    rest.length === 0 && [...areas].some((one) => wordsOf(one).map(singular).join('-') === owner.join('-'))
  return isOfOrganization ? [verb, ...rest] : isOfOther ? [verb, 'for', ...owner] : [verb, ...owner, ...rest]
}
