// `metadata`: a JSON text of the vendor, stored and returned but never interpreted.
import { Type } from 'typebox'
import { MAX_METADATA_BYTES } from '#kernel/values/validation/formats.ts'

/** A JSON text of at most 16 KiB. */
export const Metadata = Type.String({
  maxLength: MAX_METADATA_BYTES,
  format: 'json',
  description: 'A JSON text of at most 16 KiB',
  examples: ['{"seats":5}'],
})
