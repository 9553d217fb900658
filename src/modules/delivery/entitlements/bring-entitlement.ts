// Entitlements that were sold elsewhere keep their codes, which invoices and contracts there name
// (docs/interface/integrations.md).
import { takeCode } from '#kernel/data/codes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { Type } from 'typebox'
import { createEntitlement } from './create-entitlement.ts'
import { CLASSES, type Entitlement, type NewEntitlement } from './entitlement.ts'

/** As the service itself writes them; six digits at most, so that a slip does not make the codes of a month longer. */
export const BroughtCode = Type.String({
  pattern: `^(${CLASSES.join('|')})-\\d{4}(0[1-9]|1[0-2])(?!0000$)(\\d{4}|[1-9]\\d{4,5})$`,
  maxLength: 30,
  description: 'The code that it has had so far; a new one when absent',
  examples: ['PLG-2024030017'],
})

export function broughtCodeRules(of: string | undefined, code: string | undefined, now: Date): Fields {
  if (of === undefined || code === undefined) return {}
  const [prefix, digits = ''] = code.split('-')
  if (prefix !== of) return { code: `is not of the class ${of}` }
  const month = now.toISOString().slice(0, 7).replace('-', '')
  return digits.slice(0, 6) > month ? { code: 'is of a month to come' } : {}
}

/** 422 when the code belongs to an entitlement, whosever it is, or was given out for one. */
export async function bringEntitlement(
  ctx: OrganizationContext,
  body: NewEntitlement,
  code: string,
): Promise<Entitlement> {
  if (!(await takeCode(ctx, code))) throw invalid({ code: 'is given out already' })
  return createEntitlement(ctx, body, code)
}
