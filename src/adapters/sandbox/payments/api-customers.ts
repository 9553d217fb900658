// Customers at the sandbox payment provider.
import { type ApiCall, createdOnce, metadata, missing, text, withAnswer } from './api-call.ts'
import { nowInSeconds, type Company } from './company.ts'
import type { Customer } from './records.ts'

export function createCustomer(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, 'cus', call, async (id) => {
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
    await company.store.write({ kind: 'customer', object, answers, deliveries: [] })
    return body
  })
}

/** Only name and email; what is not given stays. */
export function updateCustomer(company: Company, call: ApiCall, id: string): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await company.store.read(id)
    if (record?.kind !== 'customer') throw missing('customer', id)
    const { name, email } = record.object
    const object = { ...record.object, name: text(call, 'name') ?? name, email: text(call, 'email') ?? email }
    await company.store.write({ ...record, object })
    return JSON.stringify(object)
  })
}

export async function readCustomer(company: Company, _call: ApiCall, id: string): Promise<string> {
  const record = await company.store.read(id)
  if (record?.kind !== 'customer') throw missing('customer', id)
  return JSON.stringify(record.object)
}
