// PUT and DELETE /admin/settings/{company}/logo: the image of a legal entity's brand. Whoever holds the row holds the
// order of the changes, as for its settings.
import { createHash } from 'node:crypto'
import { contentTypeOf } from '#modules/documents/files/content-type.ts'
import { serviceEntry } from '#kernel/data/audit/audit.ts'
import { one, type SystemContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import type { IncomingFile } from '#http/features/file-bodies.ts'
import type { Company } from '#kernel/values/schema.ts'
import type { StoredLogo } from '#ports/brand.ts'
import type { CompanySettings } from './company-settings.ts'
import { pngProblem } from './png-problem.ts'
import { companySettings } from './queries.ts'
import { svgProblem } from './svg-problem.ts'

export type ReceivedLogo = { bytes: Buffer; sha256: string }

/** Looked at only later: one that is too large has been cut off here. */
export async function receiveLogo({ stream }: IncomingFile): Promise<ReceivedLogo> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  const bytes = Buffer.concat(pieces)
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** 422 for what is no image, or one that is not harmless. */
export async function setLogo(
  ctx: SystemContext,
  of: Company,
  { bytes: logo, sha256: logo_sha256 }: ReceivedLogo,
): Promise<CompanySettings> {
  const isPng = (await contentTypeOf(logo)) === 'image/png'
  const problem = isPng ? pngProblem(logo) : svgProblemOf(logo)
  if (problem !== null) throw invalid({ file: problem })
  return changeLogo(ctx, of, { logo, logo_content_type: isPng ? 'image/png' : 'image/svg+xml', logo_sha256 })
}

function svgProblemOf(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('<svg') ? svgProblem(text) : 'must be a PNG or an SVG in UTF-8'
  } catch {
    return 'must be a PNG or an SVG in UTF-8'
  }
}

export const removeLogo = (ctx: SystemContext, of: Company): Promise<CompanySettings> => changeLogo(ctx, of, null)

/** Nothing is written where it is as it was. */
async function changeLogo(ctx: SystemContext, of: Company, logo: StoredLogo | null): Promise<CompanySettings> {
  const before = await one(ctx, companySettings.lockedLogo(of))
  if (before.logo_sha256 !== (logo?.logo_sha256 ?? null)) {
    const [from, to] = [about(before), logo && about({ ...logo, size: logo.logo.length })]
    ctx.write(companySettings.setLogo(of, logo, ctx.now))
    ctx.write(companySettings.addToHistory(ctx, of, { setting: 'logo', from, to }))
    const details = { company: of, before: { logo: from }, after: { logo: to } }
    ctx.write(serviceEntry(ctx, 'updated', { resource: 'company_settings', id: null, details }))
  }
  return one(ctx, companySettings.shown(ctx.settings, of))
}

type LogoFacts = { logo_content_type: string | null; logo_sha256: string | null; size: number | null }

/** What history and audit log keep of it. */
const about = ({ logo_content_type: content_type, logo_sha256: sha256, size }: LogoFacts) =>
  sha256 === null ? null : { content_type, size, sha256 }
