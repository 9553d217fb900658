// A public link of the quote, and its token; a request for a quote.
import { randomBytes } from 'node:crypto'
import { digest } from '#kernel/keys/secrets.ts'
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ add, records: { quotes } }) => {
  const token = randomBytes(32).toString('base64url')
  const link = { quote_id: quotes, created_by_name: 'Ana', expires_at: '2999-12-31' }
  const links = await add('quote_links', { ...link, nonce: token, token_digest: digest(token) })
  const wanted = [{ product_id: 1, product_name: 'Backup', quantity: 5 }]
  const asked = { company: 'entity_br', currency: 'BRL', requested_by_name: 'Ana' }
  const requests = await add('quote_requests', { ...asked, line_items: JSON.stringify(wanted) })
  return { links, public: token, requests }
}
