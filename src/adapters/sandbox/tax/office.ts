// The operations of the sandbox tax authority: issue, number, sign, cancel. One at a time, stored before the answer.
import { randomInt } from 'node:crypto'
import { readDocument, signDocument } from './document.ts'
import type { InvoiceRecord, InvoiceStore } from './invoice-store.ts'
import { eventDocument, invoiceDocument, replacementRequest } from './issued-document.ts'
import type { KeyPair } from './key-pair.ts'
import { accessKeyOf, emitterIn, emitterOf, numberIn } from './numbers.ts'
import {
  BAD_SCHEMA,
  CONFLICT,
  DUPLICATE,
  type Fault,
  OUTCOME_PATH,
  NO_SUCH_INVOICE,
  cancellationFaults,
  declarationFaults,
} from './rules.ts'

/** `outcome`: chosen by the recipient's `tax_param5`. */
export type IssueResult = { declarationId: string; outcome: string } & (
  | { record: InvoiceRecord; faults: null }
  | { record: null; faults: Fault[] }
)
export type CancelResult = { record: InvoiceRecord; faults: null } | { record: null; faults: Fault[] }

export type Office = {
  readonly store: InvoiceStore
  /** Declarations that were answered 503 already. */
  readonly answered503: Set<string>
  now(): Date
  issue(dpsXml: string): Promise<IssueResult>
  cancel(accessKey: string, requestXml: string): Promise<CancelResult>
}

export type OfficeOptions = {
  store: InvoiceStore
  providerName: string
  keys: () => Promise<KeyPair>
  now: () => Date
}

export function taxOffice(options: OfficeOptions): Office {
  const { store, now } = options
  return {
    store,
    answered503: new Set(),
    now,
    issue: (dpsXml) => store.exclusively(() => issue(options, dpsXml)),
    cancel: (accessKey, requestXml) => store.exclusively(() => cancel(options, accessKey, requestXml)),
  }
}

async function issue({ store, providerName, keys, now }: OfficeOptions, dpsXml: string): Promise<IssueResult> {
  const dps = readDocument(dpsXml)
  const inf = (...path: string[]) => dps?.('DPS', 'infDPS', ...path) ?? ''
  const facts = { declarationId: inf('@Id'), outcome: dps?.(...OUTCOME_PATH) ?? '' }
  const faults = dps ? declarationFaults(dpsXml, dps, now()) : [BAD_SCHEMA]
  if (!dps || faults.length > 0) return { ...facts, record: null, faults }
  if (await store.byDeclaration(facts.declarationId)) return { ...facts, record: null, faults: [DUPLICATE] }
  const replaced = inf('subst', 'chSubstda') ? await store.byAccessKey(inf('subst', 'chSubstda')) : undefined
  if (replaced === null) return { ...facts, record: null, faults: [NO_SUCH_INVOICE] }
  if (replaced?.event) return { ...facts, record: null, faults: [CONFLICT] }
  const emitter = { municipality: inf('cLocEmi'), taxId: inf('prest', 'CNPJ') || inf('prest', 'CPF') }
  const at = brasilia(now())
  const numbers = (await store.accessKeys()).filter((key) => emitterIn(key) === emitterOf(emitter)).map(numberIn)
  const number = Math.max(0, ...numbers) + 1
  const accessKey = accessKeyOf(emitter, number, at.slice(2, 4) + at.slice(5, 7), randomInt(1_000_000_000))
  const pair = await keys()
  const unsigned = invoiceDocument({ accessKey, number: String(number), at, providerName, dpsXml, dps })
  const xml = signDocument(unsigned, 'infNFSe', pair)
  const record = { declaration_id: facts.declarationId, access_key: accessKey, xml, event: null }
  await store.write(record)
  if (replaced) {
    const requestXml = replacementRequest(replaced.access_key, accessKey, at, dps)
    await store.write(ended(replaced, '105102', at, requestXml, pair))
  }
  return { ...facts, record, faults: null }
}

async function cancel(
  { store, keys, now }: OfficeOptions,
  accessKey: string,
  requestXml: string,
): Promise<CancelResult> {
  const request = readDocument(requestXml)
  const faults = request ? cancellationFaults(requestXml, request, accessKey) : [BAD_SCHEMA]
  if (faults.length > 0) return { record: null, faults }
  const found = await store.byAccessKey(accessKey)
  if (!found) return { record: null, faults: [NO_SUCH_INVOICE] }
  if (found.event) return { record: null, faults: [CONFLICT] }
  const record = ended(found, '101101', brasilia(now()), requestXml, await keys())
  await store.write(record)
  return { record, faults: null }
}

function ended(record: InvoiceRecord, type: string, at: string, requestXml: string, pair: KeyPair): InvoiceRecord {
  const accessKey = record.access_key
  const number = String(numberIn(accessKey))
  const xml = signDocument(eventDocument({ accessKey, type, at, number, requestXml }), 'infEvento', pair)
  return { ...record, event: { type, xml } }
}

const brasilia = (moment: Date): string =>
  `${new Date(moment.getTime() - 3 * 3_600_000).toISOString().slice(0, 19)}-03:00`
