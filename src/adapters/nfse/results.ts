// The authority's documents → what the port tells: held to their signature, to their own number and to what we asked about.
import type { CancelledTaxInvoice, IssuedTaxInvoice } from '#ports/tax-authority.ts'
import { isAccessKey } from './identifiers.ts'
import { readMoment } from './moments.ts'
import { assertSigned } from './signature.ts'
import { UnreadableXml, readXml } from './xml-reader.ts'

/** Throws UnreadableXml: whatever it is, it is not the tax invoice of this declaration. */
export function issuedInvoice(xml: string, declarationId: string): IssuedTaxInvoice {
  const tree = readXml(xml)
  const invoice = (...path: string[]) => tree.text('NFSe', 'infNFSe', ...path)
  const id = invoice('@Id') ?? ''
  const accessKey = id.slice(3)
  if (!id.startsWith('NFS') || !isAccessKey(accessKey)) throw new UnreadableXml('has no right access key')
  if (invoice('DPS', 'infDPS', '@Id') !== declarationId) throw new UnreadableXml('belongs to another declaration')
  const number = invoice('nNFSe')
  const issuedAt = readMoment(invoice('dhProc'))
  if (number === null || !/^[1-9]\d{0,12}$/.test(number) || issuedAt === null)
    throw new UnreadableXml('lacks its number or its time')
  assertSigned(xml, id)
  const issAmount = invoice('valores', 'vISSQN')
  return {
    outcome: 'issued',
    number,
    accessKey,
    verificationCode: null,
    issuedAt,
    xml,
    issAmount: issAmount !== null && /^\d{1,15}(\.\d{2})?$/.test(issAmount) ? issAmount : null,
  }
}

/** Throws UnreadableXml: it is no event about this tax invoice. */
export function cancellationEvent(xml: string, accessKey: string): CancelledTaxInvoice {
  const tree = readXml(xml)
  const event = (...path: string[]) => tree.text('evento', 'infEvento', ...path)
  const id = event('@Id') ?? ''
  if (!id.startsWith(`EVT${accessKey}`) || event('pedRegEvento', 'infPedReg', 'chNFSe') !== accessKey)
    throw new UnreadableXml('is about another tax invoice')
  const at = readMoment(event('dhProc'))
  if (at === null) throw new UnreadableXml('lacks its time')
  assertSigned(xml, id)
  return { outcome: 'cancelled', at, xml }
}

/** Whether the issued document is of what was sent, not of what somebody else declared under the same number. */
export function isOfDeclaration(issuedXml: string, sentXml: string): boolean {
  const [issued, sent] = [readXml(issuedXml), readXml(sentXml)]
  const what = [
    ['valores', 'vServPrest', 'vServ'],
    ['dCompet'],
    ['toma', 'CNPJ'],
    ['toma', 'CPF'],
    ['toma', 'NIF'],
    ['toma', 'xNome'],
  ]
  return what.every(
    (path) => issued.text('NFSe', 'infNFSe', 'DPS', 'infDPS', ...path) === sent.text('DPS', 'infDPS', ...path),
  )
}
