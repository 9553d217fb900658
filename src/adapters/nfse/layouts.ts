// The layouts of the national NFS-e as data: their elements, in the order of the schema. An element that a version does
// not list cannot be sent in it, and an unknown version is refused when the service starts.

export type Element = string | { readonly name: string; readonly children: readonly Element[] }

export type Layout = {
  readonly version: string
  readonly namespace: string
  /** `DPS` and its signed element. */
  readonly declaration: { readonly root: string; readonly signed: Element }
  /** `pedRegEvento` and its signed element. */
  readonly eventRequest: { readonly root: string; readonly signed: Element }
}

const group = (name: string, ...children: readonly Element[]): Element => ({ name, children })

const DECLARATION_HEAD = ['tpAmb', 'dhEmi', 'verAplic', 'serie', 'nDPS', 'dCompet', 'tpEmit', 'cLocEmi'] as const
const EVENT_HEAD = ['tpAmb', 'verAplic', 'dhEvento', 'CNPJAutor', 'CPFAutor', 'chNFSe'] as const

const person = ['CNPJ', 'CPF', 'NIF', 'cNaoNIF', 'IM', 'xNome'] as const
const address = group(
  'end',
  group('endNac', 'cMun', 'CEP'),
  group('endExt', 'cPais', 'cEndPost', 'xCidade', 'xEstProvReg'),
  'xLgr',
  'nro',
  'xCpl',
  'xBairro',
)
const foreignTrade = [
  'mdPrestacao',
  'vincPrest',
  'tpMoeda',
  'vServMoeda',
  'mecAFComexP',
  'mecAFComexT',
  'movTempBens',
  'mdic',
] as const

const service = group(
  'serv',
  group('locPrest', 'cLocPrestacao', 'cPaisPrestacao'),
  group('cServ', 'cTribNac', 'cTribMun', 'xDescServ', 'cNBS', 'cIntContrib'),
  group('comExt', ...foreignTrade),
  group('infoCompl', 'idDocTec', 'docRef', 'xPed', 'xInfComp'),
)
const totals = group(
  'totTrib',
  group('pTotTrib', 'pTotTribFed', 'pTotTribEst', 'pTotTribMun'),
  'indTotTrib',
  'pTotTribSN',
)
const federal = group(
  'tribFed',
  group('piscofins', 'CST', 'vBCPisCofins', 'pAliqPis', 'pAliqCofins', 'vPis', 'vCofins', 'tpRetPisCofins'),
  'vRetCP',
  'vRetIRRF',
  'vRetCSLL',
)
const amounts = group(
  'valores',
  group('vServPrest', 'vReceb', 'vServ'),
  group('trib', group('tribMun', 'tribISSQN', 'cPaisResult', 'tpImunidade', 'tpRetISSQN', 'pAliq'), federal, totals),
)
const reform = group(
  'IBSCBS',
  'finNFSe',
  'indFinal',
  'cIndOp',
  'indDest',
  group('valores', group('trib', group('gIBSCBS', 'CST', 'cClassTrib'))),
)

const VERSION_1_01: Layout = {
  version: '1.01',
  namespace: 'http://www.sped.fazenda.gov.br/nfse',
  declaration: {
    root: 'DPS',
    signed: group(
      'infDPS',
      ...DECLARATION_HEAD,
      group('subst', 'chSubstda', 'cMotivo', 'xMotivo'),
      group('prest', ...person, address, 'fone', 'email', group('regTrib', 'opSimpNac', 'regApTribSN', 'regEspTrib')),
      group('toma', ...person, address, 'fone', 'email'),
      service,
      amounts,
      reform,
    ),
  },
  eventRequest: {
    root: 'pedRegEvento',
    signed: group('infPedReg', ...EVENT_HEAD, group('e101101', 'xDesc', 'cMotivo', 'xMotivo')),
  },
}

const LAYOUTS: ReadonlyMap<string, Layout> = new Map([[VERSION_1_01.version, VERSION_1_01]])

/** Of requests about what is issued, whatever it was declared in. */
export const NEWEST = VERSION_1_01

export function layoutOf(version: string): Layout {
  const layout = LAYOUTS.get(version)
  if (!layout) throw new Error(`Version ${JSON.stringify(version)} of the NFS-e layout is not known here`)
  return layout
}
