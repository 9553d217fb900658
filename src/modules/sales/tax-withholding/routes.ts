// Which taxes an organization keeps back (docs/interface/tax.md, Tax withholding).
import { org, staff } from '#kernel/values/permissions.ts'
import { route, row } from '#http/route.ts'
import { NewTaxWithholding, TaxWithholding } from '#modules/identity/organizations/tax-withholding.ts'
import { withholdingOf } from './queries.ts'
import { setTaxWithholding } from './set-tax-withholding.ts'

export const taxWithholdingRoutes = [
  route({
    method: 'GET',
    path: '/tax-withholding',
    access: org('finances'),
    purpose: 'Get which taxes the organization keeps back.',
    description: 'Empty lists: none.',
    data: TaxWithholding,
    read: ({ org: id }) => row(withholdingOf(id)),
  }),
  route({
    method: 'PUT',
    path: '/tax-withholding',
    access: staff('finances'),
    purpose: 'Update which taxes the organization keeps back.',
    description:
      'Replaces what was set; a list that is absent is empty. It counts for invoices that are finalized from now ' +
      'on: those that are finalized stay as they are.',
    body: NewTaxWithholding,
    openapi: {
      example: { federal: ['irrf', 'pis', 'cofins', 'csll'], iss_municipalities: ['3550308'] },
    },
    data: TaxWithholding,
    run: async (ctx, { body }) => ({ data: await setTaxWithholding(ctx, body), message: 'Tax withholding set' }),
  }),
]
