// `metadata`: a JSON text of the vendor's own, carried along and never looked into.
import { Type } from 'typebox'
import { invalid } from './errors.ts'

const MAX_BYTES = 16_384

/** A JSON text of at most 16 KiB. */
export const Metadata = Type.String({ maxLength: MAX_BYTES, description: 'A JSON text', examples: ['{"seats":5}'] })

export function refuseBrokenMetadata(metadata: string | null | undefined): void {
  if (metadata === undefined || metadata === null) return
  if (Buffer.byteLength(metadata) > MAX_BYTES) throw invalid({ metadata: 'must be at most 16 KiB' })
  try {
    JSON.parse(metadata)
  } catch {
    throw invalid({ metadata: 'must be a JSON text' })
  }
}
