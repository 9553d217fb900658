// Operations: what the vendor’s staff do across all organizations.
import type { Module } from '#http/manifest/module.ts'
import { adminArea } from './admin/area.ts'
import { auditLogArea } from './audit-log/area.ts'
import { bulkArea } from './bulk/area.ts'
import { exportsArea } from './exports/area.ts'
import { lineageArea } from './lineage/area.ts'
import { privacyArea } from './privacy/area.ts'
import { queueArea } from './queue/area.ts'
import { reportsArea } from './reports/area.ts'
import { searchArea } from './search/area.ts'
import { settingsArea } from './settings/area.ts'
import { operationsReasons } from './reasons.ts'

export const operations: Module = {
  name: 'operations',
  areas: [
    adminArea,
    auditLogArea,
    queueArea,
    searchArea,
    reportsArea,
    exportsArea,
    bulkArea,
    privacyArea,
    lineageArea,
    settingsArea,
  ],
  reasons: operationsReasons,
  erasure: {
    working: ['organization_exports', 'audit_exports'],
    people: {
      'consents.user_id': { exports: 'row', erased: { ip: null } },
      'person_exports.user_id': { exports: 'row' },
      'person_exports.requested_by': { exports: 'reference' },
      'organization_exports.requested_by': { exports: 'reference' },
      'audit_exports.requested_by': { exports: 'reference' },
      'erasures.user_id': { exports: 'row' },
      'erasures.requested_by': { exports: 'reference' },
      'organization_erasures.requested_by': { exports: 'reference' },
      'exports.created_by': { exports: 'reference', erased: { created_by_name: 'erased' } },
      'company_settings_history.changed_by': { exports: 'reference', erased: { changed_by_name: 'erased' } },
      'queue_assignments.assignee_id': { exports: 'reference' },
    },
  },
}
