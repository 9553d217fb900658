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
import { operationsReasons } from './reasons.ts'

export const operations: Module = {
  name: 'operations',
  areas: [adminArea, auditLogArea, queueArea, searchArea, reportsArea, exportsArea, bulkArea, privacyArea, lineageArea],
  reasons: operationsReasons,
  erasure: {
    working: ['organization_exports', 'audit_exports'],
  },
}
