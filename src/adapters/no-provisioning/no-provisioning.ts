// No provisioning system: environments wait for staff, and nobody may report anything.
import { type Provisioning, UnsignedReport } from '#ports/provisioning.ts'

export const noProvisioning = (): Provisioning => ({
  provision: () => Promise.resolve(null),
  readReport: () => {
    throw new UnsignedReport('No provisioning system is configured')
  },
})
