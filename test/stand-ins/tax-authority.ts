// A stand-in for the tax authority whose answers a test scripts. Like a real one it stores what it has issued by the id
// of the declaration, and does not issue that twice.
import { type FiscalProfile } from '#ports/fiscal-profiles.ts'
import {
  type CancellationRequest,
  type IssuedTaxInvoice,
  TaxAnswerUnclear,
  type TaxAuthority,
  TaxAuthorityUnavailable,
  type TaxDeclaration,
  type TaxProblem,
  UndeclarableService,
} from '#ports/tax-authority.ts'
import { ACCESS_KEY, nfseXml } from '#test/scenes/nfse-note.ts'

/**
 * `issue`: issued, also when nothing is scripted. `lost`: no answer, not issued. `issued_unseen`: no answer, but
 * issued. `late`: no answer, and issued only after the next question. `number_taken`: refused, since another
 * declaration has the number. `away`: not reached. `breaks`: an error in our own code.
 */
export type ScriptedAnswer =
  | 'issue'
  | 'lost'
  | 'issued_unseen'
  | 'late'
  | 'away'
  | 'breaks'
  | 'number_taken'
  | TaxProblem[]

const NUMBER_TAKEN = {
  outcome: 'number_taken' as const,
  problems: [{ code: 'E0014', message: 'Já existe', detail: null }],
}

/** A part of the XML of a document that another system declared. */
export const OF_ANOTHER_SYSTEM = '<xNome>Somebody else</xNome>'

export const PROFILE: FiscalProfile = {
  valid_from: '2020-01-01',
  layout: '1.01',
  municipality: '3550308',
  simples: '1',
  special_regime: '0',
  iss: '1',
  iss_withheld: '1',
  tax_burden: { federal: '13.45', state: '0.00', municipal: '2.90' },
  services: {
    default: { national: '010501', iss_rate: '2.00', description: 'Licenciamento de software' },
    ENV: { national: '010301', municipal: '001', iss_rate: '2.90' },
  },
}

export type TaxAuthorityStandIn = TaxAuthority & {
  /** Each call takes the first answer of its kind. */
  script: {
    issue: ScriptedAnswer[]
    find: ('answer' | 'away' | 'unclear')[]
    cancel: ScriptedAnswer[]
    prepare: ('away' | TaxProblem[])[]
  }
  /** The first value of the setting, which the harness gives the service. */
  profiles: FiscalProfile[]
  profile: FiscalProfile | null
  declared: TaxDeclaration[]
  cancelled: CancellationRequest[]
  /** `issue DPS…`, `find DPS…`, `cancel KEY…`, in order. */
  calls: string[]
  issued: Map<string, IssuedTaxInvoice>
  /** If set, each call waits for it in the middle. */
  pause: (() => Promise<void>) | null
  reset(): void
}

export function taxAuthorityStandIn(): TaxAuthorityStandIn {
  const issued = new Map<string, IssuedTaxInvoice>()
  const onTheWay = new Set<string>()
  const cancelledKeys = new Map<string, Date>()
  let last = 1000

  function doIssue(id: string): IssuedTaxInvoice {
    const known = issued.get(id)
    if (known) return known
    const number = String(++last)
    const accessKey = `35503082212345678000195${number.padStart(13, '0')}26111234567890`
    const made: IssuedTaxInvoice = {
      outcome: 'issued',
      number,
      accessKey,
      verificationCode: null,
      issuedAt: new Date('2026-11-20T12:00:00Z'),
      xml: nfseXml({ description: `${id} “ção” 🚀` })
        .replaceAll(ACCESS_KEY, accessKey)
        .replace('?><', '?>\r\n<'),
      issAmount: '3.00',
    }
    issued.set(id, made)
    return made
  }

  const authority: TaxAuthorityStandIn = {
    script: { issue: [], find: [], cancel: [], prepare: [] },
    profiles: [PROFILE],
    get profile() {
      return authority.profiles[0] ?? null
    },
    set profile(one) {
      authority.profiles.splice(0, 1, ...(one ? [one] : []))
    },
    declared: [],
    cancelled: [],
    calls: [],
    issued,
    pause: null,
    reset() {
      authority.script = { issue: [], find: [], cancel: [], prepare: [] }
      authority.profile = PROFILE
      authority.declared.length = 0
      authority.cancelled.length = 0
      authority.calls.length = 0
      authority.pause = null
    },
    prepare: async (declaration) => {
      const problems = authority.script.prepare.shift()
      if (problems === 'away') throw new TaxAuthorityUnavailable('no certificate is good now')
      if (problems) throw new UndeclarableService(problems)
      authority.declared.push(declaration)
      const id = `DPS-${declaration.series}-${declaration.number}`
      return { id, xml: `<DPS Id="${id}" at="${declaration.declaredAt.toISOString()}">${declaration.amount}</DPS>` }
    },
    issue: async ({ id }) => {
      authority.calls.push(`issue ${id}`)
      await authority.pause?.()
      const scripted = authority.script.issue.shift() ?? 'issue'
      if (scripted === 'away') throw new TaxAuthorityUnavailable('503')
      if (scripted === 'breaks') throw new TypeError('undefined is not a function')
      if (Array.isArray(scripted)) return { outcome: 'refused', problems: scripted }
      if (scripted === 'number_taken' || issued.has(id)) return NUMBER_TAKEN
      if (scripted === 'issued_unseen') doIssue(id)
      if (scripted === 'late') onTheWay.add(id)
      if (scripted !== 'issue') throw new TaxAnswerUnclear('timed out')
      return doIssue(id)
    },
    find: async (id) => {
      authority.calls.push(`find ${id}`)
      const scripted = authority.script.find.shift() ?? 'answer'
      if (scripted === 'away') throw new TaxAuthorityUnavailable('503')
      if (scripted === 'unclear') throw new TaxAnswerUnclear('timed out')
      const found = issued.get(id) ?? null
      if (onTheWay.delete(id)) doIssue(id)
      return found
    },
    isOf: ({ xml }) => Promise.resolve(!xml.includes(OF_ANOTHER_SYSTEM)),
    cancel: async (request) => {
      authority.calls.push(`cancel ${request.accessKey}`)
      authority.cancelled.push(request)
      const scripted = authority.script.cancel.shift() ?? 'issue'
      if (scripted === 'away') throw new TaxAuthorityUnavailable('503')
      if (scripted === 'breaks') throw new TypeError('undefined is not a function')
      if (Array.isArray(scripted)) return { outcome: 'refused', problems: scripted }
      const at = cancelledKeys.get(request.accessKey) ?? request.at
      cancelledKeys.set(request.accessKey, at)
      if (scripted !== 'issue') throw new TaxAnswerUnclear('timed out')
      return { outcome: 'cancelled', at, xml: `<evento>${request.accessKey}</evento>` }
    },
  }
  return authority
}
