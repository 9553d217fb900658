// Reads the authority's documents into the port's results, and checks their signature, their number and their subject.
import { UnreadableXml, readXml } from '#kernel/values/text/xml.ts'
import type { CancelledTaxInvoice, IssuedTaxInvoice } from '#ports/tax-authority.ts'
import { isAccessKey } from './identifiers.ts'
import { readMoment } from './moments.ts'
import { assertSigned } from './signature.ts'

/** Throws UnreadableXml when the document is not the tax invoice of this declaration. */
export function issuedInvoice(xml: string, declarationId: string): IssuedTaxInvoice {
  const invoice = readXml(xml).at('NFSe.infNFSe')
  const id = invoice.text('@Id') ?? ''
  const accessKey = id.slice(3)
  if (!id.startsWith('NFS') || !isAccessKey(accessKey)) throw new UnreadableXml('has no right access key')
  if (invoice.text('DPS.infDPS.@Id') !== declarationId) throw new UnreadableXml('belongs to another declaration')
  const number = invoice.text('nNFSe')
  const issuedAt = readMoment(invoice.text('dhProc'))
  if (number === null || !/^[1-9]\d{0,12}$/.test(number) || issuedAt === null)
    throw new UnreadableXml('lacks its number or its time')
  assertSigned(xml, id)
  const issAmount = invoice.text('valores.vISSQN')
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

/** Throws UnreadableXml when the document is no event of this tax invoice. */
export function cancellationEvent(xml: string, accessKey: string): CancelledTaxInvoice {
  const event = readXml(xml).at('evento.infEvento')
  const id = event.text('@Id') ?? ''
  if (!id.startsWith(`EVT${accessKey}`) || event.text('pedRegEvento.infPedReg.chNFSe') !== accessKey)
    throw new UnreadableXml('is about another tax invoice')
  const at = readMoment(event.text('dhProc'))
  if (at === null) throw new UnreadableXml('lacks its time')
  assertSigned(xml, id)
  return { outcome: 'cancelled', at, xml }
}

/** Whether the tax invoice is of the sent declaration, not of another one with the same number. */
export function isOfDeclaration(issuedXml: string, sentXml: string): boolean {
  const issued = readXml(issuedXml).at('NFSe.infNFSe.DPS.infDPS')
  const sent = readXml(sentXml).at('DPS.infDPS')
  const what = ['valores.vServPrest.vServ', 'dCompet', 'toma.CNPJ', 'toma.CPF', 'toma.NIF', 'toma.xNome']
  return what.every((path) => issued.text(path) === sent.text(path))
}
