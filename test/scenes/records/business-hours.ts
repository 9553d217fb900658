// Each legal entity has a row of business hours from the start.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async () => ({ 'business-hours': 'entity_br' })
