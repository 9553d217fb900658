// The settings of the legal entities, and of the vendor (docs/interface/operations.md, Settings).
import { fileRoute, parts, route } from '#http/route.ts'
import { HistoryPaging } from '#kernel/data/audit/history.ts'
import { anyStaff, open, vendor } from '#kernel/values/permissions.ts'
import { Closed } from '#kernel/values/schema.ts'
import { declarationOf, SETTING_NAMES } from '#ports/company-settings.ts'
import { notFound } from '#kernel/values/errors.ts'
import { profileProblems } from '#ports/fiscal-profiles.ts'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { brandIn, logoIn, LOGO_TYPES, MOST_LOGO_BYTES, type StoredLogo } from '#ports/brand.ts'
import { BrandQuestion, companyOf, PublicBrand, publicBrand } from './brand.ts'
import { receiveLogo, removeLogo, setLogo } from './change-logo.ts'
import { changeSettings } from './change-settings.ts'
import { ByCompany, BySettingsOf, CompanySettings, CompanySettingsChange, SettingChange } from './company-settings.ts'
import { companySettings } from './queries.ts'

const needing = (scope: string): string =>
  SETTING_NAMES.filter((name) => declarationOf(name).needs === scope)
    .map((name) => `\`${name}\``)
    .join(', ')

const within = (field: string, problems: Fields): Fields =>
  Object.fromEntries(Object.entries(problems).map(([place, sentence]) => [`${field}.${place}`, sentence]))

/** Of those whose declaration asks for more than their schema. */
const problemsOf = (body: CompanySettingsChange): Fields =>
  Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const problem = (body[name] ?? null) === null ? null : declarationOf(name).problem?.(body[name])
      return problem ? [[name, problem]] : []
    }),
  )

/** How long a brand may be kept by caches, and thus be seen after a change. */
const BRAND_SECONDS = 300

export const settingsRoutes = [
  route({
    method: 'GET',
    path: '/admin/settings/{company}',
    access: anyStaff,
    purpose: 'Get the settings of a legal entity, or those that both share.',
    description:
      'The rules of business that are in force, such as when refunds need an approval, and how long before the end ' +
      'of a period its invoice is made. What was not set here is as the environment of the service says.',
    params: BySettingsOf,
    openapi: { operationId: 'getSettings' },
    data: CompanySettings,
    read: ({ ports }, { params }) => companySettings.of(ports.settings, params.company),
  }),
  route({
    method: 'PATCH',
    path: '/admin/settings/{company}',
    access: anyStaff,
    purpose: 'Update settings of a legal entity, or those that both share.',
    description:
      'Only the given ones change, all of them or none; null: as the environment says again. They count at once, in ' +
      'every process, for what begins from then on. The scope `finances` changes ' +
      `${needing('finances')}; all others ` +
      'need `settings`, which only administrators hold, since they bind the rest of staff. 403 without the scope of ' +
      'each given setting.',
    params: BySettingsOf,
    body: CompanySettingsChange,
    openapi: { operationId: 'updateSettings', example: { renewal_invoice_days: 21, refunds: 'approve' } },
    features: { stepUp: true },
    data: CompanySettings,
    rules: (body: CompanySettingsChange) => ({
      ...within('fiscal_profiles', profileProblems(body.fiscal_profiles ?? [])),
      ...problemsOf(body),
    }),
    run: async (ctx, { params, body }) => ({
      data: await changeSettings(ctx, params.company, body),
      message: 'Settings updated',
    }),
  }),
  route({
    method: 'GET',
    path: '/admin/settings/{company}/history',
    access: anyStaff,
    purpose: 'List the changes of the settings of a legal entity, or of those that both share.',
    description: 'One entry for each setting that a request changed, the oldest first.',
    params: BySettingsOf,
    query: HistoryPaging,
    openapi: { operationId: 'listSettingsHistory' },
    page: SettingChange,
    read: (_, { params, query }) => companySettings.history(params.company, query),
  }),
  route({
    method: 'PUT',
    path: '/admin/settings/{company}/logo',
    access: vendor('settings'),
    purpose: 'Update the logo of a legal entity.',
    description:
      'A PNG of 1,000 pixels on each side at most, or an SVG, as `file`. It counts at once on pages, mails and ' +
      'documents; only a PNG is shown in mails and on documents, which have the name in place of an SVG. An SVG must ' +
      'not have scripts, event attributes, embedded documents or images, entities, or links out of it.',
    params: ByCompany,
    body: Closed({}),
    openapi: { operationId: 'updateLogo', example: {} },
    features: {
      stepUp: true,
      upload: {
        maxBytes: () => MOST_LOGO_BYTES,
        receive: (_io, _input, file) => receiveLogo(file),
        discard: async () => {},
      },
    },
    data: CompanySettings,
    run: async (ctx, { params }, received) => ({
      data: await setLogo(ctx, params.company, received),
      message: 'Settings updated',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/settings/{company}/logo',
    access: vendor('settings'),
    purpose: 'Delete the logo of a legal entity.',
    description: 'Its name is shown instead. Succeeds when there is none, too.',
    params: ByCompany,
    openapi: { operationId: 'deleteLogo' },
    features: { stepUp: true },
    data: CompanySettings,
    run: async (ctx, { params }) => ({
      data: await removeLogo(ctx, params.company),
      message: 'Settings updated',
    }),
  }),
  route({
    method: 'GET',
    path: '/brand',
    access: open,
    purpose: 'Get the brand of a legal entity.',
    description:
      'Name, color, logo and support link, for whoever shows pages to customers. The shades of the color have the ' +
      'contrast that level AA of WCAG asks of text. What caches keep may be five minutes old.',
    query: BrandQuestion,
    openapi: { operationId: 'getBrand' },
    features: { cacheSeconds: BRAND_SECONDS },
    data: PublicBrand,
    read: ({ ports: { settings } }, { query }) =>
      parts([brandIn(settings, companyOf(query))], ([[stored]]) => {
        if (!stored) throw notFound()
        return publicBrand(settings, companyOf(query), stored)
      }),
  }),
  fileRoute({
    path: '/brand/logo',
    access: open,
    purpose: 'Get the logo of a legal entity.',
    description:
      'For pages of any host, and for mails. 404 where there is none: the name of the brand is shown instead. An ' +
      'SVG comes with a policy under which nothing in it runs or loads anything.',
    query: BrandQuestion,
    openapi: { operationId: 'getLogo' },
    fails: ['NOT_FOUND'],
    features: { cacheSeconds: BRAND_SECONDS },
    contentType: LOGO_TYPES,
    read: (_, { query }) =>
      parts([logoIn(companyOf(query))], ([[stored]]) => {
        if (!stored) throw notFound()
        return stored
      }),
    make: async (_io, { logo, logo_content_type: contentType, logo_sha256: sha256 }: StoredLogo) => ({
      content: logo,
      contentType,
      sha256,
      fileName: contentType === 'image/png' ? 'logo.png' : 'logo.svg',
    }),
  }),
]
