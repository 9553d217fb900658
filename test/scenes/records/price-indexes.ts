// A rate of a price index, which belongs to no organization.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app }) => {
  await app.database.query(
    `insert into price_index_rates (price_index, month, rate) values ('IPCA', '2023-12', 0.56) on conflict do nothing`,
  )
  return { 'price-indexes': 'IPCA', rates: '2023-12' }
}
