// What a customer pays with in a bank's program, as a payment provider gives it with a checkout.
import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from '#kernel/values/schema.ts'

export const Pix = Type.Object(
  {
    copy_code: Type.String({
      description: 'The code to copy, which is also the content of the QR code',
      examples: ['00020101021226580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR'],
    }),
    expires_at: Nullable({ ...Timestamp, description: 'Null: it does not end' }),
  },
  { description: 'A Pix code' },
)
export const Boleto = Type.Object(
  {
    line: Type.String({
      description: 'The line that is typed, 47 digits',
      examples: ['23793381286000782713695000063305975520000370000'],
    }),
    barcode: Type.String({
      description: 'The content of its bar code, 44 digits',
      examples: ['23799755200003700003381260007827139500006330'],
    }),
    pdf_url: Nullable(Type.String({ format: 'uri', description: 'The paper, at the provider' })),
    expires_at: Nullable(Timestamp),
  },
  { description: 'A boleto' },
)
/** What a customer pays with in a bank's program; each pays the checkout that it belongs to. */
export const PaymentCodes = Type.Object({ pix: Nullable(Pix), boleto: Nullable(Boleto) })
export type PaymentCodes = Static<typeof PaymentCodes>

export const CODE_METHODS = ['pix', 'boleto'] as const
export type CodeMethod = (typeof CODE_METHODS)[number]

/** Codes that pay all of an open checkout. */
export type CodesRequest = {
  /** Of the round: the same key gives the same codes. */
  idempotencyKey: string
  /** The checkout's reference. */
  reference: string
  customer: string
  methods: readonly CodeMethod[]
  amount: string
  currency: string
  payer: {
    name: string
    email: string | null
    /** Fourteen characters, no mask. */
    cnpj: string | null
    /** Null where a part of it is missing. */
    address: { line: string; city: string; state: string; zipcode: string } | null
  }
}
