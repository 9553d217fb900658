// The content of the mails about API keys.

export type VendorKeyAct = 'created' | 'updated' | 'rotated' | 'revoked'

/** `name`, `lastFour`: of the key. `lastUsedAt`: null for never. */
type ExpiringKey = { name: string; lastFour: string; endsAt: string; lastUsedAt: string | null; createdBy: string }

export type KeyContents = {
  /** To those who manage the keys of the organization. */
  'api-key-expiring': ExpiringKey & { organizationName: string; link: string | null }
  /** To the staff who manage the vendor's keys; `recipient`: their name. */
  'vendor-key-expiring': ExpiringKey & { recipient: string }
  /** To the staff who manage them. `organizations`: how many it is for; null: all. */
  'vendor-key-changed': {
    recipient: string
    act: VendorKeyAct
    name: string
    permissions: readonly string[]
    organizations: number | null
    changedBy: string
    changedAt: string
  }
}
