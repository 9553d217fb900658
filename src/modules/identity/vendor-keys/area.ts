// The vendor's API keys, for programs that work across organizations (docs/interface/identity.md, Keys of the vendor).
import { area } from '#http/manifest/area.ts'
import { vendorKeyJobs } from './jobs.ts'
import { vendorKeyRoutes } from './routes.ts'

export const vendorKeysArea = area({
  name: 'vendor-keys',
  description: 'The vendor’s API keys: for all organizations or some.',
  routes: vendorKeyRoutes,
  jobs: vendorKeyJobs,
  tables: ['vendor_keys'],
})
