// POST /payments/methods-session: the provider's page where the organization sees and replaces its stored payment
// methods.
import { type Static, Type } from 'typebox'
import type { IoContext } from '#kernel/data/context.ts'
import { AppError, conflict, RETRY_SECONDS } from '#kernel/values/errors.ts'
import { Closed, Company, Id } from '#kernel/values/schema.ts'
import { sql } from '#kernel/values/sql.ts'
import { PaymentProviderUnavailable, PaymentRefused } from '#ports/payments.ts'
import { customerAt, type KnownCustomer, knownCustomer } from './payment-customer.ts'

export const NewMethodsPage = Closed({ organization_id: Type.Optional(Id), company: Company })
export const MethodsPage = Type.Object(
  {
    company: Company,
    url: Type.String({
      format: 'uri',
      description: 'For some minutes; send the browser there',
      examples: ['https://billing.example/session/live_2f8b'],
    }),
  },
  { description: 'A page of the payment provider' },
)
export type MethodsPage = Static<typeof MethodsPage>

const NONE = conflict('no_payment_customer', 'The organization has paid nothing at the payment provider of this entity')

export async function openMethodsPage(io: IoContext, company: MethodsPage['company']): Promise<MethodsPage> {
  const { ports, organizationId } = io
  const payments = ports.payments[company]
  const [known] = await io.read(sql<KnownCustomer>`
    select ${knownCustomer(sql`${company}::text`)} from organizations o
     where o.organization_id = ${organizationId} and o.id = ${organizationId}`)
  const customer = payments && known ? customerAt(payments.provider, known) : null
  if (!payments || customer === null) throw NONE
  const back = ports.settings.portal.url
  try {
    return { company, url: await payments.openMethodsPage(customer, back) }
  } catch (error) {
    if (error instanceof PaymentRefused) throw NONE
    if (!(error instanceof PaymentProviderUnavailable)) throw error
    const message = 'The payment provider does not answer; try again'
    throw new AppError('SERVICE_UNAVAILABLE', { message, retryAfter: RETRY_SECONDS, cause: error })
  }
}
