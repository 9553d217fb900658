// No provisioning system: environments wait for staff, and nobody may report anything.
import type { Provisioning } from '#ports/provisioning.ts'

export const noProvisioning = (): Provisioning => ({
  provision: () => Promise.resolve(null),
  readReport: () => ({ kind: 'unsigned', reason: 'No provisioning system is configured' }),
})
