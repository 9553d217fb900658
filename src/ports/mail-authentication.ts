// What the receiving mail server found out about the sender of a mail (RFC 8601): whether the domain of `From` stands
// behind it, by DMARC, or by a signature (DKIM) or a server (SPF) of that domain.

/** `fields`: those of the mail, from the top. Only the topmost one of the server counts: a sender may write others. */
export function isAuthenticated(fields: readonly string[], server: string, from: string): boolean {
  const domain = domainOf(from)
  const own = fields.map(withoutComments).find((field) => serverOf(field) === server.toLowerCase())
  if (own === undefined || domain === '') return false
  return own
    .split(';')
    .slice(1)
    .some((result) => standsBehind(result.trim().toLowerCase(), domain))
}

const serverOf = (field: string): string => (field.split(';', 1)[0] ?? '').trim().split(/\s/, 1)[0]?.toLowerCase() ?? ''

function standsBehind(result: string, domain: string): boolean {
  const [, method = ''] = /^(dmarc|dkim|spf)\s*=\s*pass(?:\s|$)/.exec(result) ?? []
  if (method === 'dmarc') return isOf(domain, propertyOf(result, 'header.from'))
  if (method === 'dkim') return isOf(domain, propertyOf(result, 'header.d') ?? propertyOf(result, 'header.i'))
  return method === 'spf' && isOf(domain, propertyOf(result, 'smtp.mailfrom'))
}

const propertyOf = (result: string, name: string): string | null =>
  new RegExp(`\\s${name.replace('.', '\\.')}\\s*=\\s*(\\S+)`).exec(result)?.[1]?.replaceAll('"', '') ?? null

/** The domain itself or one above it, but no top-level domain. */
const isOf = (domain: string, found: string | null): boolean => {
  const other = found === null ? '' : domainOf(found)
  return domain === other || (other.includes('.') && domain.endsWith(`.${other}`))
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/**
 * Comments may be nested. They, and quoted words, may hold whatever the sender chose, such as the name before the @ of
 * the envelope: what is quoted separates nothing. Whether a quote within a comment hides its brackets depends on the
 * server, so that nothing counts from there on.
 */
function withoutComments(field: string): string {
  let [depth, isQuoted, kept] = [0, false, '']
  for (const [token] of field.matchAll(/\\[^]|[^]/g)) {
    if (depth > 0 && token.endsWith('"')) return kept
    if (token === '"') isQuoted = !isQuoted
    if (!isQuoted && token === '(') depth++
    else if (!isQuoted && token === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) kept += isQuoted && !/[\w"@.+-]/.test(token) ? '_' : token
  }
  return kept
}
