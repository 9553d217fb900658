// Port: a tax authority, which issues a tax invoice for a declared service, finds and cancels it. One instance, for the
// legal entity in Brazil. Amounts are decimal strings, never numbers.
import { type Static, Type } from 'typebox'
import { FederalTaxes, Percent, type WithheldTax } from './federal-taxes.ts'

const digits = (count: number) => Type.String({ pattern: `^[0-9]{${count}}$` })

/** How one kind of service is declared. */
export const ServiceCode = Type.Object(
  {
    /** National code of the service, six digits (`cTribNac`). */
    national: digits(6),
    municipal: Type.Optional(digits(3)),
    nbs: Type.Optional(digits(9)),
    /** The ISS rate in percent; left out where the regime or the municipality's agreement forbids it. */
    iss_rate: Type.Optional(Percent),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
)
export type ServiceCode = Static<typeof ServiceCode>

/** The classification of the 2026 reform, codes only: the authority computes the amounts. */
export const IbsCbs = Type.Object(
  {
    purpose: digits(1),
    operation: digits(6),
    situation: digits(3),
    classification: digits(6),
    final_consumer: Type.Boolean(),
  },
  { additionalProperties: false },
)
export type IbsCbs = Static<typeof IbsCbs>

/**
 * How declarations are built from a day on, as the accountant decided it. The profile with the latest `valid_from` that
 * is not after the competence date applies.
 */
export const FiscalProfile = Type.Object(
  {
    valid_from: Type.String({ format: 'date' }),
    /** Version of the authority's layout; an unknown one is refused when the service starts. */
    layout: Type.String({ examples: ['1.01'] }),
    /** IBGE code of the municipality where the provider is registered. */
    municipality: digits(7),
    municipal_registration: Type.Optional(Type.String({ minLength: 1, maxLength: 15 })),
    /** 1 none, 2 MEI, 3 ME/EPP. */
    simples: Type.Enum(['1', '2', '3']),
    simples_regime: Type.Optional(Type.Enum(['1', '2', '3'])),
    /**
     * Approximate taxes of ME/EPP in percent of the price, as one sum; their tax invoices have this and no
     * `tax_burden`.
     */
    simples_burden: Type.Optional(Percent),
    /** 0 none, 1 to 6 and 9 as in the layout. */
    special_regime: Type.Enum(['0', '1', '2', '3', '4', '5', '6', '9']),
    /** 1 taxable, 2 immune, 3 exported, 4 not levied. */
    iss: Type.Enum(['1', '2', '3', '4']),
    /** The same for recipients abroad; as `iss` when left out. */
    iss_abroad: Type.Optional(Type.Enum(['1', '3', '4'])),
    /** Why the service is immune, by the layout's codes. */
    immunity: Type.Optional(Type.Enum(['1', '2', '3', '4', '5'])),
    /** Declared for recipients abroad without a tax number: 1 exempt from one, 2 their country requires none. */
    missing_foreign_tax_id: Type.Optional(Type.Enum(['1', '2'])),
    /** 1 not withheld, 2 by the recipient, 3 by an intermediary. */
    iss_withheld: Type.Enum(['1', '2', '3']),
    /** Approximate taxes in percent of the price, for consumers: federal, state, municipal. */
    tax_burden: Type.Optional(
      Type.Object({ federal: Percent, state: Percent, municipal: Percent }, { additionalProperties: false }),
    ),
    /** By class of entitlement (`PLG`, `ENV`, …); `default` for all others. */
    services: Type.Record(Type.String({ pattern: '^(default|PLG|ENV|SVC|ORD|AFL|EDU)$' }), ServiceCode, {
      additionalProperties: false,
    }),
    /** By national code of the service; `default` for all others. */
    federal: Type.Optional(
      Type.Record(Type.String({ pattern: '^(default|[0-9]{6})$' }), FederalTaxes, { additionalProperties: false }),
    ),
    ibs_cbs: Type.Optional(IbsCbs),
    /** So many days after the day of issue the municipality still cancels. */
    cancel_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
  },
  { additionalProperties: false },
)
export type FiscalProfile = Static<typeof FiscalProfile>

/** The federal taxes of the service by the profile; null: it names none. */
export const federalTaxesOf = ({ federal = {} }: FiscalProfile, { national }: ServiceCode): FederalTaxes | null =>
  federal[national] ?? federal['default'] ?? null

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
  /** Null when no profile is valid on that day yet. */
  profileAt(competence: string): FiscalProfile | null
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
