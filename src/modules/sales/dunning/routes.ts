// How the legal entities deal with overdue invoices (docs/interface/sales.md, Dunning).
import { vendor, org, staff } from '#kernel/values/permissions.ts'
import { fileRoute, route, row } from '#http/route.ts'
import { dayIn, LAST_ZONE } from '#kernel/values/time/calendar.ts'
import { ById, Closed, Company } from '#kernel/values/schema.ts'
import { DunningHold, NewDunningHold } from '#modules/identity/organizations/dunning-hold.ts'
import { served } from '#modules/documents/documents-of-record/serve-document.ts'
import { Type } from 'typebox'
import { invoiceDocument } from '#modules/sales/invoices/archive.ts'
import { Invoice } from '#modules/sales/invoices/invoice.ts'
import { billLateCharges, LateChargesBill } from './bill-late-charges.ts'
import { LateCharges, lateChargesOf } from './late-charges-of.ts'
import { endHold, holdDunning } from './hold-dunning.ts'
import { heldBy, schedules } from './queries.ts'
import { CompanyDunning, CompanyDunningChange } from './schedule.ts'
import { setSchedule } from './set-schedule.ts'

const ByCompany = Closed({ company: Company })

export const dunningRoutes = [
  fileRoute({
    path: '/invoices/{id}/pdf',
    access: org('finances'),
    purpose: 'Download an invoice as PDF.',
    description:
      'In the language of `Accept-Language`, else that of the organization’s country. Says so while it is overdue.',
    params: ById,
    openapi: { tag: 'invoices' },
    ...served(invoiceDocument),
  }),
  route({
    method: 'GET',
    path: '/invoices/{id}/late-charges',
    access: org('finances'),
    purpose: 'Get the fine and the interest on an invoice.',
    description:
      'As of today while it is not paid, else of the day of the payment. Of what was due: the fine once, ' +
      'and the interest by the day, a thirtieth of the monthly percentage, each rounded half up to the ' +
      'minor unit.',
    params: ById,
    openapi: { tag: 'invoices' },
    data: LateCharges,
    read: ({ org: id }, { params }) => lateChargesOf(id, params.id),
  }),
  route({
    method: 'POST',
    path: '/invoices/{id}/late-charges',
    access: staff('finances'),
    purpose: 'Bill the fine and the interest on an invoice by an invoice of their own.',
    description: 'Open at once. What was billed before is left out; 409 when nothing is left.',
    params: ById,
    body: LateChargesBill,
    openapi: { operationId: 'billInvoiceLateCharges', tag: 'invoices', example: {} },
    data: Invoice,
    status: 201,
    fails: ['no_late_charges'],
    run: async (ctx, { params, body }) => ({
      data: await billLateCharges(ctx, params.id, body),
      message: 'Late charges billed',
    }),
  }),
  route({
    method: 'GET',
    path: '/dunning/hold',
    access: staff('finances'),
    purpose: 'Get the hold of reminders and suspension for the organization.',
    description: '404 while there is none.',
    data: DunningHold,
    read: ({ org: id }) => row(heldBy(id)),
  }),
  route({
    method: 'PUT',
    path: '/dunning/hold',
    access: staff('finances'),
    purpose: 'Update the hold on reminders and suspension for the organization.',
    description:
      'Nobody is reminded, nothing is suspended, and invoices become overdue as always. What is suspended ' +
      'already stays so unless `restores`. Replaces the hold that there is; the organization shows it as ' +
      '`dunning_hold`.',
    body: NewDunningHold,
    rules: ({ until }, { now }) =>
      until !== undefined && until < dayIn(now, LAST_ZONE) ? { until: 'must not have passed' } : {},
    openapi: { example: { until: '2999-12-31', reason: 'Payment plan agreed on', restores: true } },
    data: DunningHold,
    run: async (ctx, { body }) => ({ data: await holdDunning(ctx, body), message: 'Dunning held' }),
  }),
  route({
    method: 'DELETE',
    path: '/dunning/hold',
    access: staff('finances'),
    purpose: 'Delete the hold on reminders and suspension.',
    description: 'Reminders and suspension go on at once.',
    data: Type.Null(),
    fails: ['dunning_not_held'],
    run: async (ctx) => {
      await endHold(ctx)
      return { data: null, message: 'Dunning goes on' }
    },
  }),
  route({
    method: 'GET',
    path: '/admin/dunning/{company}',
    access: vendor('finances'),
    purpose: 'Get how a legal entity deals with overdue invoices.',
    description:
      'The days of reminders, the grace before entitlements are suspended, both also by class, and fine and interest.',
    params: ByCompany,
    data: CompanyDunning,
    read: (_, { params }) => schedules.of(params.company),
  }),
  route({
    method: 'PUT',
    path: '/admin/dunning/{company}',
    access: vendor('finances'),
    purpose: 'Update how a legal entity deals with overdue invoices.',
    description:
      'Replaces the whole schedule, which counts for invoices that are open already. Without `starts_on` ' +
      'that day stays.',
    params: ByCompany,
    body: CompanyDunningChange,
    openapi: {
      example: {
        schedule: {
          reminder_days: [-3, 1, 7],
          grace_days: 10,
          suspends: true,
          classes: { ENV: { reminder_days: [1], grace_days: 30, suspends: true } },
          fine_percent: '2.00',
          monthly_interest_percent: '1.00',
        },
      },
    },
    data: CompanyDunning,
    run: async (ctx, { params, body }) => ({
      data: await setSchedule(ctx, params.company, body),
      message: 'Dunning set',
    }),
  }),
]
