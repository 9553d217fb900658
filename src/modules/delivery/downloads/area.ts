// Downloads: releases of the vendor's products (docs/interface/delivery.md, Downloads).
import { area } from '#http/manifest/area.ts'
import { downloadRoutes } from './routes.ts'
import { downloadStaffRoutes } from './staff-routes.ts'

export const downloadsArea = area({
  name: 'downloads',
  description: 'Releases of the vendor’s products, for organizations whose entitlements cover them, and for updaters.',
  routes: [...downloadRoutes, ...downloadStaffRoutes],
  tables: ['releases', 'release_files', 'download_counts'],
})
