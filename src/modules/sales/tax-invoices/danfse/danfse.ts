// The content of a DANFSe, taken only from the authorized XML of an NFS-e of the national standard. Its labels are
// those of the national layout, so they are always in Portuguese.
import { readXml, UnreadableXml, type Xml } from '#kernel/values/text/xml.ts'
import { consultationUrl } from '../tax-invoice.ts'
import { isValidKey } from './nfse-key.ts'
import { EMISSION, statusOf } from './codes.ts'
import { federalOf, ibsCbsOf, municipalOf, serviceOf, sumsOf, totalsOf } from './sections.ts'
import { noParty, partyOf } from './parties.ts'
import { cell, code, dateTime, day } from './cells.ts'
import type { Cell, Danfse, FormSection } from '#ports/documents.ts'

export type DanfseMark = 'valid' | 'cancelled' | 'replaced'

const WATERMARKS = { cancelled: 'CANCELADA', replaced: 'SUBSTITUÍDA' } as const
const VERSIONS = ['1.00', '1.01']

/** Throws UnreadableXml unless the XML is an NFS-e of a known layout. */
export function danfseOf(xml: string, mark: DanfseMark = 'valid'): Danfse {
  const root = readXml(xml)
  const version = root.text('NFSe.@versao')
  if (version === null || !VERSIONS.includes(version))
    throw new UnreadableXml(`is no NFS-e of a known layout: ${version ?? '?'}`)
  const note = root.at('NFSe.infNFSe')
  const accessKey = (note.text('@Id') ?? '').replace(/^NFS/, '')
  if (!isValidKey(accessKey)) throw new UnreadableXml('has no access key')
  const dps = note.at('DPS.infDPS')
  const environment = dps.text('tpAmb')
  if (environment === null) throw new UnreadableXml('does not say in which environment it was made')
  return {
    kind: 'danfse',
    accessKey,
    consultation: consultationUrl(accessKey),
    issuer: { name: note.text('emit.xNome') ?? '', place: placeOf(note) },
    head: headOf(note, dps),
    sections: sectionsOf(note, dps),
    ...(environment !== '1' && { notice: 'NFS-e SEM VALIDADE JURÍDICA' }),
    ...(mark !== 'valid' && { watermark: WATERMARKS[mark] }),
    madeAt: madeAtOf(note),
  }
}

const placeOf = (note: Xml): string =>
  [note.text('xLocEmi'), note.text('emit.enderNac.UF')].filter((part) => part !== null).join(' - ')

function madeAtOf(note: Xml): string {
  const time = Date.parse(note.text('dhProc') ?? '')
  if (Number.isNaN(time)) throw new UnreadableXml('does not say when it was made')
  return new Date(time).toISOString()
}

const headOf = (note: Xml, dps: Xml): Cell[][] => [
  [
    cell('Número da NFS-e', note.text('nNFSe')),
    cell('Competência da NFS-e', day(dps.text('dCompet'))),
    cell('Data e hora da emissão da NFS-e', dateTime(note.text('dhProc'))),
    cell('Situação da NFS-e', statusOf(note.text('cStat'))),
  ],
  [
    cell('Número da DPS', dps.text('nDPS')),
    cell('Série da DPS', dps.text('serie')),
    cell('Data e hora da emissão da DPS', dateTime(dps.text('dhEmi'))),
    cell('Emitente da NFS-e', code(EMISSION, dps.text('tpEmit'))),
  ],
]

function sectionsOf(note: Xml, dps: Xml): FormSection[] {
  return [
    partyOf('PRESTADOR DO SERVIÇO', providerOf(note, dps), { regime: true }),
    dps.has('toma') ? partyOf('TOMADOR DO SERVIÇO', takerOf(dps, 'toma')) : noParty('TOMADOR DO SERVIÇO'),
    dps.has('interm')
      ? partyOf('INTERMEDIÁRIO DO SERVIÇO', takerOf(dps, 'interm'))
      : noParty('INTERMEDIÁRIO DO SERVIÇO'),
    serviceOf(note, dps),
    municipalOf(note, dps),
    federalOf(dps),
    ...ibsCbsOf(note, dps),
    sumsOf(note, dps),
    totalsOf(dps),
    furtherOf(note, dps),
  ]
}

/** If the provider issued the note itself, the authority has added name and address. */
function providerOf(note: Xml, dps: Xml) {
  const declared = { person: dps.at('prest'), address: dps.at('prest.end'), place: null }
  if (dps.text('tpEmit') !== '1') return { ...declared, regime: dps.at('prest.regTrib') }
  const isSeat = note.text('emit.enderNac.cMun') === dps.text('cLocEmi')
  return {
    person: note.at('emit'),
    address: note.at('emit.enderNac'),
    place: isSeat ? placeOf(note) : null,
    regime: dps.at('prest.regTrib'),
  }
}

const takerOf = (dps: Xml, name: string) => ({ person: dps.at(name), address: dps.at(`${name}.end`), place: null })

function furtherOf(note: Xml, dps: Xml): FormSection {
  const said = [
    note.text('xNBS') === null ? null : `NBS: ${note.text('xNBS')}`,
    dps.text('subst.chSubstda') === null ? null : `Substitui a NFS-e ${dps.text('subst.chSubstda')}`,
    dps.text('serv.infoCompl.xPed') === null ? null : `Pedido: ${dps.text('serv.infoCompl.xPed')}`,
    dps.text('serv.infoCompl.docRef') === null ? null : `Documento de referência: ${dps.text('serv.infoCompl.docRef')}`,
    dps.text('serv.infoCompl.xInfComp'),
    note.text('xOutInf'),
  ]
  const text = said.filter((line) => line !== null).join('\n')
  return { title: 'INFORMAÇÕES COMPLEMENTARES', rows: [[{ ...cell('', text || null, 4), grows: true }]] }
}
