// What a municipality has published, which belongs to no organization, and a tax invoice that was declared by it.
import type { AddRecords } from '../records.ts'

export const addRecords: AddRecords = async ({ app, records }) => {
  const values = ['3550308', app.clock.now]
  await app.database.query(
    `insert into municipal_questions (municipality, service_code, asked_at) values ($1, '', $2) on conflict do nothing`,
    values,
  )
  await app.database.query(
    `with answer as (
       insert into municipal_parameters (municipality, service_code, competence, outcome, raw, answered_at)
       values ($1, '', '2026-01-01', 'published', '{}', $2) returning id)
     update tax_invoices set agreement_id = answer.id from answer where tax_invoices.id = $3`,
    [...values, records['tax-invoices']],
  )
  return {}
}
