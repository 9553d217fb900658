// Builds the values of a declaration's XML (DPS) by the fiscal profile of its competence date.
import { type FiscalProfile } from '#ports/fiscal-profiles.ts'
import { type TaxDeclaration, UndeclarableService } from '#ports/tax-authority.ts'
import { declarationId, isAccessKey, kindOfTaxId } from './identifiers.ts'
import { brasiliaDay, brasiliaTime } from './moments.ts'
import { type Problems, problems as noProblems } from './problems.ts'
import { federalTaxes } from './federal-taxes.ts'
import { percent } from './percent.ts'
import { type RecipientRule, isAbroad, recipientValues } from './recipient.ts'
import { latin, paragraphs } from './wording.ts'
import type { XmlValues } from './xml-writer.ts'

export type DeclarationContext = {
  /** 1 production, 2 restricted production. */
  environment: '1' | '2'
  application: string
  recipients: RecipientRule
  /** Sent as informational text. */
  complement: string | null
}

type Part = { declaration: TaxDeclaration; profile: FiscalProfile; problems: Problems }

export function declarationValues(
  declaration: TaxDeclaration,
  profile: FiscalProfile,
  context: DeclarationContext,
): { id: string; values: XmlValues } {
  const problems = noProblems()
  const part = { declaration, profile, problems }
  const { series, number, provider, recipient } = declaration
  const id = declarationId({ municipality: profile.municipality, taxId: provider.taxId, series, number })
  const kind = kindOfTaxId(provider.taxId)
  if (kind === null) problems.add('PROVIDER_TAX_ID', 'The provider has no CNPJ', 'ENTITY_BR_TAX_ID')
  else if (id === null || !/^([1-9]|[1-9]\d{1,3}|[1-4]\d{4})$/.test(series))
    problems.add('SERIES', 'The series must be a number from 1 to 49999, the number one from 1 to 15 digits', 'series')
  const values = {
    tpAmb: context.environment,
    ...dates(part),
    verAplic: context.application,
    serie: series,
    nDPS: String(number),
    tpEmit: '1',
    cLocEmi: profile.municipality,
    subst: replaced(part),
    prest: { ...(kind && { [kind]: provider.taxId }), IM: profile.municipal_registration, regTrib: regime(profile) },
    toma: recipientValues(recipient, {
      rule: context.recipients,
      isIssWithheld: issWithheld(declaration, profile) !== '1',
      profile,
      problems,
    }),
    serv: service(part, context.complement),
    valores: amounts(part),
    IBSCBS: reform(profile),
  }
  if (id === null || problems.list.length > 0) throw new UndeclarableService([...problems.list])
  return { id, values }
}

function dates({ declaration: { declaredAt, competence }, problems }: Part): XmlValues {
  if (!/^20\d\d-\d\d-\d\d$/.test(competence)) problems.add('COMPETENCE', 'The competence is no date', 'competence')
  else if (competence > brasiliaDay(declaredAt))
    problems.add('COMPETENCE', 'The competence lies after the day of the declaration', 'competence')
  return { dhEmi: brasiliaTime(declaredAt), dCompet: competence }
}

function replaced({ declaration: { replaces }, problems }: Part): XmlValues | null {
  if (!replaces) return null
  if (!isAccessKey(replaces.accessKey))
    problems.add('REPLACED_ACCESS_KEY', 'The tax invoice that is replaced has no right access key')
  if (!/^(0[1-5]|99)$/.test(replaces.reasonCode))
    problems.add('REPLACEMENT_REASON', 'The reason for replacing must be 01 to 05 or 99', 'reason_code')
  const reason = latin(replaces.reason, 255)
  if ((reason ?? '').length < 15 && replaces.reason.trim() !== '')
    problems.add(
      'REPLACEMENT_REASON',
      'The reason for replacing needs 15 to 255 characters of the Latin alphabet',
      'reason',
    )
  return { chSubstda: replaces.accessKey, cMotivo: replaces.reasonCode, xMotivo: reason }
}

const regime = ({ simples, simples_regime, special_regime }: FiscalProfile): XmlValues => ({
  opSimpNac: simples,
  regApTribSN: simples_regime,
  regEspTrib: special_regime,
})

function service({ declaration, profile, problems }: Part, complement: string | null): XmlValues {
  const { service: code, recipient, amount } = declaration
  const description = paragraphs(declaration.description, 2000) ?? paragraphs(code.description ?? null, 2000)
  return {
    locPrest: { cLocPrestacao: profile.municipality },
    cServ: {
      cTribNac: code.national,
      cTribMun: code.municipal,
      xDescServ: problems.need(description, 'DESCRIPTION', 'The service has no description', 'description'),
      cNBS: code.nbs,
    },
    comExt: isAbroad(recipient) ? foreignTrade(amount) : null,
    infoCompl: { xPed: whole(declaration.purchaseOrder, 60), xInfComp: latin(complement, 2000) },
  }
}

/** Null for what is longer: half a number is a wrong one. */
function whole(given: string | null, max: number): string | null {
  const text = latin(given, Infinity)
  return text !== null && text.length <= max ? text : null
}

/**
 * Cross-border supply to an unrelated party, in Brazilian reais (790 in the central bank's table), without incentives.
 */
const foreignTrade = (amount: string): XmlValues => ({
  mdPrestacao: '1',
  vincPrest: '0',
  tpMoeda: '790',
  vServMoeda: amount,
  mecAFComexP: '01',
  mecAFComexT: '01',
  movTempBens: '1',
  mdic: '0',
})

/** By the recipient also where the fiscal profile does not say so of all. */
const issWithheld = ({ withheld }: TaxDeclaration, { iss_withheld }: FiscalProfile): FiscalProfile['iss_withheld'] =>
  withheld.some(({ tax }) => tax === 'iss') ? '2' : iss_withheld

function amounts({ declaration, profile, problems }: Part): XmlValues {
  const { amount, recipient, service: code } = declaration
  if (!/^(0|[1-9][0-9]{0,14})\.[0-9]{2}$/.test(amount) || /^0\.00$/.test(amount))
    problems.add('AMOUNT', 'The amount must be above zero, with two digits after the point', 'amount')
  const iss = isAbroad(recipient) ? (profile.iss_abroad ?? profile.iss) : profile.iss
  if (iss === '3' && !isAbroad(recipient))
    problems.add('EXPORT', 'The fiscal profile declares exports, but the recipient is in Brazil', 'country')
  const isTaxable = iss === '1'
  const tribMun = {
    tribISSQN: iss,
    cPaisResult: iss === '3' ? recipient.address.country : null,
    tpImunidade: iss === '2' ? (profile.immunity ?? '0') : null,
    tpRetISSQN: isTaxable ? issWithheld(declaration, profile) : '1',
    pAliq: isTaxable ? percent(code.iss_rate) : null,
  }
  // The situations of PIS/COFINS in the profile are those of services to Brazil.
  const tribFed = isAbroad(recipient) ? null : federalTaxes({ declaration, profile, problems })
  return { vServPrest: { vServ: amount }, trib: { tribMun, tribFed, totTrib: burden(profile) } }
}

/** Each regime declares its tax burden in another element (rules E0712 and E0713). */
function burden({ simples, simples_burden, tax_burden }: FiscalProfile): XmlValues {
  if (simples === '2') return { indTotTrib: '0' }
  if (simples === '3') return { pTotTribSN: percent(simples_burden) }
  const { federal, state, municipal } = tax_burden ?? {}
  return { pTotTrib: { pTotTribFed: percent(federal), pTotTribEst: percent(state), pTotTribMun: percent(municipal) } }
}

function reform({ ibs_cbs: codes }: FiscalProfile): XmlValues | null {
  if (!codes) return null
  return {
    finNFSe: codes.purpose,
    indFinal: codes.final_consumer ? '1' : '0',
    cIndOp: codes.operation,
    // 0: the service's recipient is the one in `toma`.
    indDest: '0',
    valores: { trib: { gIBSCBS: { CST: codes.situation, cClassTrib: codes.classification } } },
  }
}
