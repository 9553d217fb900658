// The service's request about a production environment.
import type { ProvisioningRequest } from '#ports/provisioning.ts'

export const provisioningRequest = (
  requestId: string,
  act: ProvisioningRequest['act'] = 'provision',
): ProvisioningRequest => ({
  act,
  requestId,
  organizationId: 7,
  organizationName: 'São João “Ltda”',
  environment: {
    id: 3,
    name: 'Campus',
    platform: 'moodle',
    environment_type: 'production',
    url: null,
    entitlement_code: 'ENV-2026110001',
    production_id: null,
    metadata: null,
  },
  entitlement: {
    code: 'ENV-2026110001',
    product_name: 'Hosting “M”',
    quantity: 2,
    features: [{ key: 'max_users', type: 'number', value: 50 }],
  },
  now: new Date('2026-11-20T12:00:00.000Z'),
})
