// A site on which a license is active, and what its product reported.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, add, records: { licenses, quotes } }) => {
  const domain = `site-${quotes}.example`
  const found = { domain, name: domain, license_ids: [licenses], challenge: `challenge-of-${quotes}` }
  const sites = await add('sites', found)
  await add('site_reports', { license_id: licenses, domain, version: '4.2.0', last_seen_at: app.clock.now })
  return { sites }
}
