// A payment intent of a Pix or boleto code at the sandbox payment provider, in the shape of Stripe's API.
import { Type, type Static } from 'typebox'

/** Of a Pix or boleto code; the payment of a page has no record of its own. */
export const PaymentIntent = Type.Object({
  id: Type.String(),
  object: Type.Literal('payment_intent'),
  livemode: Type.Literal(false),
  created: Type.Integer({ minimum: 0 }),
  status: Type.Enum(['requires_action', 'succeeded', 'canceled']),
  amount: Type.Integer({ minimum: 0 }),
  currency: Type.String(),
  customer: Type.String(),
  payment_method_types: Type.Array(Type.Enum(['pix', 'boleto'])),
  next_action: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
})
export type PaymentIntent = Static<typeof PaymentIntent>
