// Each legal entity has a schedule from the start.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async () => ({ dunning: 'entity_br' })
