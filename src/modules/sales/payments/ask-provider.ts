// The payment provider of a legal entity, and the current state of an object there. An id is sent only to the provider
// that issued it (docs/decisions/0035). Imports no area, since areas below this one ask too.
import type { IoContext } from '#kernel/data/context.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { Company } from '#kernel/values/schema.ts'
import {
  PaymentRefused,
  type Payments,
  type PaymentState,
  type ProviderReference,
  type WatchedResource,
} from '#ports/payments.ts'
import { providerOf } from './payment-references.ts'

/** Null if the legal entity uses another provider now, or none. */
export function providerInUse(
  { ports }: Pick<IoContext, 'ports'>,
  { company, provider }: Omit<ProviderReference, 'reference'>,
): Payments | null {
  const payments = ports.payments[company]
  return payments?.provider === provider ? payments : null
}

/** The name of the provider that issued the organization's reference, and its port if it is in use. */
export async function providerBehind(
  io: IoContext,
  company: Company,
  reference: string,
): Promise<{ payments: Payments | null; provider: string }> {
  const [known] = await io.read(providerOf(io.organizationId ?? 0, company, reference))
  const provider = known?.provider ?? 'an unknown provider'
  return { payments: providerInUse(io, { company, provider }), provider }
}

/** A refusal, and an id of a provider that is not in use, are permanent failures: a retry cannot succeed. */
export async function fetchProviderState<Resource extends WatchedResource>(
  io: Pick<IoContext, 'ports'>,
  resource: Resource,
  at: ProviderReference,
): Promise<StateOf<Resource>> {
  const payments = providerInUse(io, at)
  if (!payments) throw notInUse(at)
  try {
    const state = await payments.look(resource, at.reference)
    if (isOf(resource, state)) return state
  } catch (error) {
    if (error instanceof PaymentRefused)
      throw new PermanentFailure(`the provider shows no ${at.reference}: ${error.message}`)
    throw error
  }
  throw new Error(`the provider was asked for the ${resource} ${at.reference} and showed something else`)
}

type StateOf<Resource extends WatchedResource> = Extract<PaymentState, { resource: Resource }>

const isOf = <Resource extends WatchedResource>(resource: Resource, state: PaymentState): state is StateOf<Resource> =>
  state.resource === resource

export const notInUse = ({ company, provider, reference }: ProviderReference): PermanentFailure =>
  new PermanentFailure(
    `${reference} is at ${provider}, which ${company} does not use any more: see to it there by hand`,
  )

/** For `catch`: a refusal by the provider is permanent. */
export function failPermanently(error: unknown): never {
  if (error instanceof PaymentRefused) throw new PermanentFailure(`the payment provider refused: ${error.message}`)
  throw error
}
