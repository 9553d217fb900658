// Licenses that were issued elsewhere keep their keys, so that installed products go on working
// (docs/interface/integrations.md).
import { claimValue } from '#modules/delivery/customers/claims.ts'
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import { activateLicense } from './activate-license.ts'
import { keyDigest } from './change-license.ts'
import { createLicense, typedKey } from './issue-license.ts'
import type { BroughtLicense, License } from './license.ts'
import { licenses } from './queries.ts'

/** Outside of organizations: 422 when a license has or had the key, whosever it is. */
export async function assertKeyIsNew(io: IoContext, text: string): Promise<void> {
  const key = typedKey(text)
  const [known] = await io.read(licenses.ofKey(key, keyDigest(key)))
  if (known) throw keyIsTaken()
}

/** The claim decides between two that bring the same key at once. */
export async function bringLicense(
  ctx: OrganizationContext,
  { license_key, activated_domains = [], ...body }: BroughtLicense,
): Promise<License> {
  const key = typedKey(license_key)
  if (!(await claimValue(ctx, 'license_key', keyDigest(key)))) throw keyIsTaken()
  const license = await createLicense(ctx, body, key)
  for (const domain of activated_domains) await activateLicense(ctx, await licenses.forChange(ctx, license.id), domain)
  return license
}

const keyIsTaken = () => invalid({ license_key: 'is that of another license' })
