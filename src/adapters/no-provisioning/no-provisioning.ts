// No provisioning system: staff move environments by hand, and every report is unsigned.
import type { Provisioning } from '#ports/provisioning.ts'

export const noProvisioning = (): Provisioning => ({
  request: () => Promise.resolve(null),
  readReport: () => ({ kind: 'unsigned', reason: 'No provisioning system is configured' }),
})
