// Why requests are refused here, and in the modules above that refuse for the same reason.
export const documentsReasons = {
  archived: 'Archived documents never change. Upload a new document instead.',
  not_yours: 'Only the person who made the record, and those above them, may do this.',
  storage_quota_exceeded: 'The file exceeds the storage quota of the organization. Delete others first.',
  upload_too_slow: 'The file took too long to arrive. Upload it again.',
  staff_only_document: 'A document for staff only cannot be shared.',
} as const

declare module '#kernel/values/reasons.ts' {
  interface Reasons extends Record<keyof typeof documentsReasons, string> {}
}
