// POST /bulk (docs/interface/operations.md, Bulk).
import { org } from '#kernel/values/permissions.ts'
import { BulkAnswer, BulkRequest } from '#http/features/bulk.ts'
import { route } from '#http/route.ts'

export const bulkRoutes = [
  route({
    method: 'POST',
    path: '/bulk',
    access: org(),
    purpose: 'Create, update and delete several records.',
    description:
      'Each operation is the request of its own endpoint, with the access, checks, audit and limits of that ' +
      'one, in a transaction of its own: one that fails changes nothing of the others. They are carried out ' +
      'in their order. Every POST, PUT, PATCH and DELETE in the organization of the header is an operation, ' +
      'except uploads, what answers with a secret, and what asks other systems before it answers. Each ' +
      'counts as a request.',
    body: BulkRequest,
    openapi: {
      example: {
        operations: [
          { method: 'POST', path: '/tickets', body: { title: 'The backup fails', entitlement_id: 1 } },
          { method: 'PATCH', path: '/invoices/42', body: { external_id: 'ERP-7' } },
        ],
      },
    },
    data: BulkAnswer,
    features: { bulk: true },
  }),
]
