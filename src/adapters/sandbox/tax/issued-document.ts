// The tax invoice and the events that the sandbox tax authority writes, in the layout of the national NFS-e 1.01.
import { type Document, NAMESPACE, elements, escaped } from './document.ts'
import { publishedRate } from './municipal-parameters.ts'
import { added, less, partOf } from './numbers.ts'

const APPLICATION = 'TitularSandbox'
const PROLOGUE = '<?xml version="1.0" encoding="UTF-8"?>'
const CITIES: ReadonlyMap<string, string> = new Map([
  ['3550308', 'São Paulo'],
  ['3304557', 'Rio de Janeiro'],
  ['3106200', 'Belo Horizonte'],
])

/** The Id is the one that the signature refers to. */
const signable = (root: string, element: string, id: string, body: string): string =>
  `<${root} xmlns="${NAMESPACE}" versao="1.01"><${element} Id="${id}">${body}</${element}></${root}>`

export type IssuedDocument = {
  accessKey: string
  number: string
  at: string
  providerName: string
  dpsXml: string
  dps: Document
}

export function invoiceDocument({ accessKey, number, at, providerName, dpsXml, dps }: IssuedDocument): string {
  const inf = (...path: string[]) => dps('DPS', 'infDPS', ...path)
  const municipality = inf('cLocEmi')
  const city = CITIES.get(municipality) ?? `Município ${municipality}`
  const body = elements([
    ['xLocEmi', city],
    ['xLocPrestacao', city],
    ['nNFSe', number],
    ['cLocIncid', municipality],
    ['xLocIncid', city],
    ['xTribNac', `Serviço ${inf('serv', 'cServ', 'cTribNac')}`],
    ['verAplic', APPLICATION],
    ['ambGer', '2'],
    ['tpEmis', '1'],
    ['procEmi', '1'],
    ['cStat', '100'],
    ['dhProc', at],
    ['nDFSe', number],
    ['emit', emitter(inf, municipality, providerName)],
    ['valores', amounts(inf)],
  ])
  const declaration = dpsXml.replace(/^<\?xml[^>]*\?>/, '')
  return PROLOGUE + signable('NFSe', 'infNFSe', `NFS${accessKey}`, body + declaration)
}

const emitter = (inf: Document, municipality: string, providerName: string): string =>
  elements([
    ['CNPJ', inf('prest', 'CNPJ')],
    ['CPF', inf('prest', 'CPF')],
    ['IM', escaped(inf('prest', 'IM'))],
    ['xNome', escaped(providerName)],
    [
      'enderNac',
      elements([
        ['xLgr', 'Rua do Ambiente de Testes'],
        ['nro', 'S/N'],
        ['xBairro', 'Centro'],
        ['cMun', municipality],
        ['UF', 'SP'],
        ['CEP', '01001000'],
      ]),
    ],
  ])

function amounts(inf: Document): string {
  const price = inf('valores', 'vServPrest', 'vServ')
  const municipal = (name: string) => inf('valores', 'trib', 'tribMun', name)
  const federal = ['vRetCP', 'vRetIRRF', 'vRetCSLL'].map((name) => inf('valores', 'trib', 'tribFed', name) || '0.00')
  if (municipal('tribISSQN') !== '1') return elements(net(price, federal))
  const rate = municipal('pAliq') || publishedRate(inf('serv', 'cServ', 'cTribNac')).toFixed(2)
  const iss = partOf(price, rate)
  const withheld = municipal('tpRetISSQN') === '1' ? federal : [...federal, iss]
  return elements([['vBC', price], ['pAliqAplic', rate], ['vISSQN', iss], ...net(price, withheld)])
}

/** What is withheld in all, where something is, and what is left of the price. */
function net(price: string, withheld: readonly string[]): [string, string][] {
  const total = added(withheld)
  return [
    ['vTotalRet', total === '0.00' ? '' : total],
    ['vLiq', less(price, total)],
  ]
}

export type EventOf = { accessKey: string; type: string; at: string; number: string; requestXml: string }

export function eventDocument({ accessKey, type, at, number, requestXml }: EventOf): string {
  const body = elements([
    ['verAplic', APPLICATION],
    ['ambGer', '2'],
    ['nSeqEvento', '1'],
    ['dhProc', at],
    ['nDFSe', number],
  ])
  const request = requestXml.replace(/^<\?xml[^>]*\?>/, '')
  return PROLOGUE + signable('evento', 'infEvento', `EVT${accessKey}${type}001`, body + request)
}

/** The request that the system itself registers when a new tax invoice replaces another. */
export function replacementRequest(replacedKey: string, newKey: string, at: string, dps: Document): string {
  const inf = (...path: string[]) => dps('DPS', 'infDPS', ...path)
  const body = elements([
    ['tpAmb', '2'],
    ['verAplic', APPLICATION],
    ['dhEvento', at],
    ['CNPJAutor', inf('prest', 'CNPJ')],
    ['CPFAutor', inf('prest', 'CPF')],
    ['chNFSe', replacedKey],
    [
      'e105102',
      elements([
        ['xDesc', 'Cancelamento de NFS-e por Substituição'],
        ['cMotivo', inf('subst', 'cMotivo')],
        ['xMotivo', escaped(inf('subst', 'xMotivo'))],
        ['chSubstituta', newKey],
      ]),
    ],
  ])
  return signable('pedRegEvento', 'infPedReg', `PRE${replacedKey}105102`, body)
}
