// The settings that are business and not machine: one declaration each, from which come the bodies of
// `/admin/settings/{company}`, what they need, the first values, and their table in docs/settings.md. They are read
// where they count, by settings-in-force.ts.
import { type Static, type TSchema, Type } from 'typebox'
import type { Config } from '#config/config.ts'
import { Closed, COMPANIES, Name } from '#kernel/values/schema.ts'
import { BRAND_SETTINGS } from './brand-settings.ts'
import { DEAL_SETTINGS } from './deal-settings.ts'
import { FISCAL_PROFILE_EXAMPLE, FiscalProfile } from './fiscal-profiles.ts'
import { PAYMENT_SETTINGS } from './payment-settings.ts'
import { PIX_SETTINGS } from './pix-settings.ts'
import { type Declaration, declared, entityOf, type SettingsOf } from './setting-declaration.ts'
import { TaxIssueRule } from './tax-issue-rule.ts'
import { VENDOR_SETTINGS } from './vendor-settings.ts'

const EACH = COMPANIES
const SELF_SERVICE = ['cancel', 'quantity', 'pause'] as const
/** What customers may do with their subscriptions themselves. */
export type SelfService = (typeof SELF_SERVICE)[number]

/** Lines of an address; none where nothing is known. */
const Address = Type.String({ maxLength: 500, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' })

export const COMPANY_SETTINGS = {
  name: declared({
    of: EACH,
    needs: 'finances',
    schema: {
      ...Name,
      description:
        'Name of the seller on documents, offers and tax invoices. What is archived keeps the name that it showed',
      examples: ['Titular Software Ltda.'],
    },
    variables: ['ENTITY_BR_NAME', 'ENTITY_GLOBAL_NAME'],
    first: ({ entities }, of) => entityOf(entities, of).name,
  }),
  ...BRAND_SETTINGS,
  address: declared({
    of: EACH,
    needs: 'finances',
    schema: { ...Address, description: 'Postal address on documents', examples: ['Rua Augusta, 100, São Paulo'] },
    variables: ['ENTITY_BR_ADDRESS', 'ENTITY_GLOBAL_ADDRESS'],
    first: ({ entities }, of) => entityOf(entities, of).address,
  }),
  bank_account: declared({
    of: EACH,
    needs: 'settings',
    schema: Type.Array(Closed({ label: Name, value: Name }), {
      maxItems: 12,
      description:
        'The bank account for customers who pay without a provider, as invoices show it; none: there is no transfer. ' +
        'Only administrators change where money goes',
      examples: [[{ label: 'IBAN', value: 'DE02 1203 0000 0000 2020 51' }]],
    }),
    variables: ['ENTITY_BR_BANK_ACCOUNT', 'ENTITY_GLOBAL_BANK_ACCOUNT'],
    first: ({ entities }, of) => entityOf(entities, of).bankAccount ?? [],
  }),
  ...PIX_SETTINGS,
  ...PAYMENT_SETTINGS,
  mail_attachments: declared({
    of: EACH,
    needs: 'finances',
    schema: Type.Array(Type.Enum(['pdf', 'xml']), {
      uniqueItems: true,
      description: 'What mails about money bring: `pdf`, `xml` (of tax invoices)',
      examples: [['pdf', 'xml']],
    }),
    variables: ['ENTITY_BR_MAIL_ATTACHMENTS', 'ENTITY_GLOBAL_MAIL_ATTACHMENTS'],
    first: ({ entities }, of) => entityOf(entities, of).attachments,
  }),
  self_service: declared({
    of: EACH,
    needs: 'settings',
    schema: Type.Array(Type.Enum(SELF_SERVICE), {
      uniqueItems: true,
      description:
        'What customers do with their subscriptions themselves: `cancel` at the end of the period, `quantity` within ' +
        'the bounds of the line, `pause`; an organization may have its own',
      examples: [['cancel', 'quantity']],
    }),
    variables: ['ENTITY_BR_SELF_SERVICE', 'ENTITY_GLOBAL_SELF_SERVICE'],
    first: ({ entities }, of) => entityOf(entities, of).selfService,
  }),
  refunds: declared({
    of: EACH,
    needs: 'settings',
    schema: Type.Enum(['approve', 'automatic'], {
      description:
        '`approve`: staff approve each refund; `automatic`: sent at once. Refunds that wait for the approval go on ' +
        'waiting when the rule changes',
      examples: ['approve'],
    }),
    variables: ['REFUNDS'],
    first: ({ refunds }) => refunds,
  }),
  renewal_invoice_days: declared({
    of: EACH,
    needs: 'finances',
    schema: Type.Integer({
      minimum: 0,
      maximum: 60,
      description:
        'Days before a period in which the service makes the invoice of an order that it bills again. When more days ' +
        'are set, they count from the invoice after the next; an organization may have its own',
      examples: [14],
    }),
    variables: ['RENEWAL_INVOICE_DAYS'],
    first: ({ renewalInvoiceDays }) => renewalInvoiceDays,
  }),
  renewal_quote_days: declared({
    of: EACH,
    needs: 'finances',
    schema: Type.Integer({
      minimum: 0,
      maximum: 365,
      description:
        'Days before the end of a term that was sold in which a quote of the next one is drafted for staff; 0 for ' +
        'never',
      examples: [45],
    }),
    variables: ['RENEWAL_QUOTE_DAYS'],
    first: ({ renewalQuoteDays }) => renewalQuoteDays,
  }),
  commission_days: declared({
    of: EACH,
    needs: 'finances',
    schema: Type.Integer({
      minimum: 0,
      maximum: 3650,
      description:
        'Days after a payment in which a commission waits for a refund; then the affiliate has earned it. Counts for ' +
        'payments from now on',
      examples: [30],
    }),
    variables: ['COMMISSION_DAYS'],
    first: ({ commissionDays }) => commissionDays,
  }),
  satisfaction: declared({
    of: EACH,
    needs: 'settings',
    schema: Type.Boolean({
      description: 'Customers are asked once whether they are satisfied when a ticket is resolved or closed',
    }),
    variables: ['SATISFACTION'],
    first: ({ satisfaction }, of) => satisfaction.some((one) => one === of),
  }),
  tax_issue_rule: declared({
    of: ['entity_br'],
    needs: 'finances',
    schema: {
      ...TaxIssueRule,
      description:
        'When invoices get their tax invoices: `on_payment`, `on_finalize`, `days_before_due:N`, `next_month_day:D`; ' +
        'organizations and products may have another rule',
    },
    variables: ['ENTITY_BR_TAX_ISSUE_RULE'],
    first: ({ taxIssueRule }) => taxIssueRule,
  }),
  fiscal_profiles: declared({
    of: ['entity_br'],
    needs: 'finances',
    schema: Type.Array(FiscalProfile, {
      maxItems: 100,
      description:
        'How services are declared, and which taxes customers keep back of them, as the accountant decided: the ' +
        'profile with the latest `valid_from` that is not after the day of a declaration applies. A change of rules ' +
        'is one profile more; old ones stay for corrections. What was declared keeps its profile',
      examples: [[FISCAL_PROFILE_EXAMPLE]],
    }),
    variables: ['NFSE_BR_PROFILES'],
    // Of a file that the start reads (commands/ports.ts).
    first: () => [],
  }),
  ...DEAL_SETTINGS,
  ...VENDOR_SETTINGS,
} as const

export type SettingName = keyof typeof COMPANY_SETTINGS
export type SettingValue<Name extends SettingName> = Static<(typeof COMPANY_SETTINGS)[Name]['schema']>
const isSettingName = (name: string): name is SettingName => Object.hasOwn(COMPANY_SETTINGS, name)
export const SETTING_NAMES: readonly SettingName[] = Object.keys(COMPANY_SETTINGS).filter(isSettingName)

type Values = { readonly [Name in SettingName]?: SettingValue<Name> }
/** By whose they are, then by name. */
export type FirstSettings = Readonly<Record<SettingsOf, Values>>

/** Those that the legal entity, or the vendor, has. */
export const namesOf = (of: SettingsOf): SettingName[] =>
  SETTING_NAMES.filter((name) => declarationOf(name).of.includes(of))

export const declarationOf = (name: SettingName): Declaration<TSchema> => COMPANY_SETTINGS[name]

export const firstSettingsOf = (config: Config): FirstSettings => {
  const valuesOf = (of: SettingsOf): Values =>
    Object.fromEntries(namesOf(of).map((name) => [name, declarationOf(name).first(config, of)]))
  return { entity_br: valuesOf('entity_br'), entity_global: valuesOf('entity_global'), vendor: valuesOf('vendor') }
}
