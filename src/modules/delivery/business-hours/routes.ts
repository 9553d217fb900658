// The business hours of the legal entities, for administrators (docs/interface/delivery.md, Business hours).
import { vendor } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { Closed, Company } from '#kernel/values/schema.ts'
import { businessHoursRules, CompanyHours, CompanyHoursChange } from './business-hours.ts'
import { businessHours } from './queries.ts'
import { setBusinessHours } from './set-business-hours.ts'

const ByCompany = Closed({ company: Company })

export const businessHoursRoutes = [
  route({
    method: 'GET',
    path: '/admin/business-hours/{company}',
    access: vendor('settings'),
    purpose: 'Get the business hours of a legal entity.',
    description: 'Null is round the clock, as it is at first. A contract may have hours of its own.',
    params: ByCompany,
    openapi: { operationId: 'getBusinessHours' },
    data: CompanyHours,
    read: (_, { params }) => businessHours.of(params.company),
  }),
  route({
    method: 'PUT',
    path: '/admin/business-hours/{company}',
    access: vendor('settings'),
    purpose: 'Update the business hours of a legal entity.',
    description:
      'Replaces them all; null is round the clock. They count for tickets that are opened from now on, ' +
      'unless the contract has its own.',
    params: ByCompany,
    body: CompanyHoursChange,
    rules: businessHoursRules,
    openapi: {
      operationId: 'updateBusinessHours',
      example: {
        business_hours: {
          time_zone: 'America/Sao_Paulo',
          weekly: {
            monday: [
              { from: '09:00', to: '12:00' },
              { from: '13:00', to: '18:00' },
            ],
            tuesday: [{ from: '09:00', to: '18:00' }],
          },
          holidays: ['2026-12-25'],
        },
      },
    },
    data: CompanyHours,
    run: async (ctx, { params, body }) => ({
      data: await setBusinessHours(ctx, params.company, body),
      message: 'Business hours set',
    }),
  }),
]
