// Port: a tax authority, which issues a tax invoice for a declared service, finds and cancels it. One instance, for the
// legal entity in Brazil. Amounts are decimal strings, never numbers.
import type { FiscalProfile, ServiceCode } from './fiscal-profiles.ts'
import type { WithheldTax } from './federal-taxes.ts'

export type TaxRecipient = {
  name: string
  /** CNPJ or CPF without mask; null for a company abroad or one without. */
  taxId: string | null
  /** Tax number of a country that is not Brazil. */
  foreignTaxId: string | null
  municipalRegistration: string | null
  email: string | null
  phone: string | null
  address: {
    street: string | null
    number: string | null
    complement: string | null
    district: string | null
    city: string | null
    state: string | null
    /** IBGE code of the city. */
    cityCode: string | null
    zipcode: string | null
    /** ISO 3166 alpha-2. */
    country: string
  }
  /** `tax_param1` to `tax_param5` of the organization, for an authority that requires more. */
  parameters: readonly (string | null)[]
}

/** A declared service. The same declaration always gives the same identifier. */
export type TaxDeclaration = {
  series: string
  number: number
  declaredAt: Date
  /** `YYYY-MM-DD`, the day that decides which rules apply. */
  competence: string
  provider: { taxId: string; name: string }
  recipient: TaxRecipient
  service: ServiceCode
  description: string
  /** The recipient's own number for the purchase. */
  purchaseOrder: string | null
  amount: string
  /** What the recipient withholds. */
  withheld: readonly WithheldTax[]
  /** The issued tax invoice that this one replaces. */
  replaces: { accessKey: string; reasonCode: string; reason: string } | null
}

/** The signed declaration, stored before it is sent; the authority finds it by `id`. */
export type PreparedDeclaration = { id: string; xml: string }

/** `code` is the authority's own or an `OurProblem`; `detail` names the field that a person can fill in. */
export type TaxProblem = { code: string; message: string; detail: string | null }

/** Problems that are found on our side, not by the authority; texts/tax-errors.ts explains each. */
export type OurProblem =
  | 'NO_FISCAL_PROFILE'
  | 'NO_SERVICE_CODE'
  | 'NUMBER_TAKEN'
  | 'RECIPIENT_COUNTRY'
  | 'NOT_ISSUED'
  | 'UNKNOWN'

export const ourProblem = (code: OurProblem, message: string, detail: string | null = null): TaxProblem => ({
  code,
  message,
  detail,
})

export type IssuedTaxInvoice = {
  outcome: 'issued'
  /** The authority's number of the tax invoice. */
  number: string
  accessKey: string
  verificationCode: string | null
  issuedAt: Date
  /** As the authority signed it, byte for byte. */
  xml: string
  issAmount: string | null
}
export type TaxRefusal = { outcome: 'refused'; problems: TaxProblem[] }
/** A declaration with this series and number exists: it may be the same one, whose answer was lost. */
export type TaxNumberTaken = { outcome: 'number_taken'; problems: TaxProblem[] }

/** Nothing was sent, or the authority answered that it accepted nothing: the same request may be sent again. */
export class TaxAuthorityUnavailable extends Error {}
/**
 * Nothing was sent, since nobody that is trusted vouches for the authority's certificate: somebody has to set it up.
 */
export class TaxAuthorityUntrusted extends TaxAuthorityUnavailable {}
/** The request was sent without a clear answer: only `find` tells what happened. */
export class TaxAnswerUnclear extends Error {}
/** The declaration cannot be built; `problems` say for staff what is missing. */
export class UndeclarableService extends Error {
  readonly problems: TaxProblem[]
  constructor(problems: TaxProblem[]) {
    super(problems.map(({ message }) => message).join('; '))
    this.problems = problems
  }
}

export type CancellationRequest = {
  accessKey: string
  provider: { taxId: string }
  at: Date
  /** 1 issued in error, 2 service not rendered, 9 other. */
  reasonCode: '1' | '2' | '9'
  /** 15 to 255 characters. */
  reason: string
}
export type CancelledTaxInvoice = { outcome: 'cancelled'; at: Date; xml: string }

export interface TaxAuthority {
  /** Builds, checks and signs without a request. Throws UndeclarableService. */
  prepare(declaration: TaxDeclaration, profile: FiscalProfile): Promise<PreparedDeclaration>
  /** Throws TaxAuthorityUnavailable or TaxAnswerUnclear. */
  issue(prepared: PreparedDeclaration): Promise<IssuedTaxInvoice | TaxRefusal | TaxNumberTaken>
  /** The tax invoice of a declaration; null when none was issued. */
  find(declarationId: string): Promise<IssuedTaxInvoice | null>
  /** Whether the tax invoice is of this declaration, not of another one with the same number. */
  isOf(issued: IssuedTaxInvoice, prepared: PreparedDeclaration): Promise<boolean>
  /** Succeeds when it is cancelled already. */
  cancel(request: CancellationRequest): Promise<CancelledTaxInvoice | TaxRefusal>
}
