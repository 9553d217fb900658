// Customers at the sandbox payment provider, with their tax numbers.
import {
  type ApiCall,
  createdOnce,
  firstAnswer,
  idFor,
  invalid,
  metadata,
  missing,
  required,
  text,
  withAnswer,
} from './api-call.ts'
import { type Company, nowInSeconds } from './company.ts'
import type { Customer, CustomerRecord, TaxId } from './records.ts'

export function createCustomer(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, { prefix: 'cus', call }, async (id) => {
    const object: Customer = {
      id,
      object: 'customer',
      livemode: false,
      created: nowInSeconds(),
      name: text(call, 'name'),
      email: text(call, 'email'),
      metadata: metadata(call),
    }
    const { answers, body } = withAnswer({}, call, object)
    await company.store.write({ kind: 'customer', object, tax_ids: [], invoices: [], answers, deliveries: [] })
    return body
  })
}

/** Changes name and email; a field that is not given stays. */
export function updateCustomer(company: Company, call: ApiCall, id: string): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await knownCustomer(company, id)
    const { name, email } = record.object
    const object = { ...record.object, name: text(call, 'name') ?? name, email: text(call, 'email') ?? email }
    await company.store.write({ ...record, object })
    return JSON.stringify(object)
  })
}

/** Accepts only a CNPJ in digits, as Stripe does in 2026. */
export function createTaxId(company: Company, call: ApiCall, id: string): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await knownCustomer(company, id)
    const repeated = firstAnswer(record.answers, call)
    if (repeated !== null) return repeated
    const [type, value] = [required(call, 'type'), required(call, 'value')]
    if (type !== 'br_cnpj' || !/^\d{14}$/.test(value)) throw invalid('Invalid value for br_cnpj.', 'tax_id_invalid')
    const taxId: TaxId = { id: idFor(company, 'txi', call), object: 'tax_id', customer: id, type, value }
    const { answers, body } = withAnswer(record.answers, call, taxId)
    await company.store.write({ ...record, tax_ids: [...record.tax_ids, taxId], answers })
    return body
  })
}

export async function knownCustomer(company: Company, id: string): Promise<CustomerRecord> {
  const record = await company.store.read(id)
  if (record?.kind !== 'customer') throw missing('customer', id)
  return record
}
