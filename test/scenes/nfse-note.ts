// An authorized NFS-e as the national system returns it, by the published schemas; all names and numbers are invented.

export const ACCESS_KEY = '35503082211222333000181000000000004226111234567895'

export type Note = {
  environment?: '1' | '2'
  description?: string
  taker?: string
  provider?: string
  further?: string
  isReformed?: boolean
  hasFederal?: boolean
  emitter?: '1' | '2'
  version?: string
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const digest = `${'A'.repeat(43)}=`
const SIGNATURE = (id: string) =>
  `<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/><SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/><Reference URI="#${id}"><Transforms><Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/></Transforms><DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><DigestValue>${digest}</DigestValue></Reference></SignedInfo><SignatureValue>${digest}</SignatureValue><KeyInfo><X509Data><X509Certificate>${digest}</X509Certificate></X509Data></KeyInfo></Signature>`

const FEDERAL =
  '<tribFed><piscofins><CST>01</CST><vBCPisCofins>1500.00</vBCPisCofins><pAliqPis>0.65</pAliqPis><pAliqCofins>3.00</pAliqCofins><vPis>9.75</vPis><vCofins>45.00</vCofins><tpRetPisCofins>3</tpRetPisCofins></piscofins><vRetCP>0</vRetCP><vRetIRRF>22.50</vRetIRRF><vRetCSLL>15.00</vRetCSLL></tribFed>'
const DECLARED =
  '<IBSCBS><finNFSe>0</finNFSe><indFinal>0</indFinal><cIndOp>100301</cIndOp><indDest>0</indDest><valores><trib><gIBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></gIBSCBS></trib></valores></IBSCBS>'
const COMPUTED =
  '<IBSCBS><cLocalidadeIncid>3550308</cLocalidadeIncid><xLocalidadeIncid>São Paulo</xLocalidadeIncid><valores><vBC>1470.00</vBC><uf><pIBSUF>0.10</pIBSUF><pAliqEfetUF>0.10</pAliqEfetUF></uf><mun><pIBSMun>0.00</pIBSMun><pAliqEfetMun>0.00</pAliqEfetMun></mun><fed><pCBS>0.90</pCBS><pAliqEfetCBS>0.90</pAliqEfetCBS></fed></valores><totCIBS><vTotNF>1514.70</vTotNF><gIBS><vIBSTot>1.47</vIBSTot><gIBSUFTot><vIBSUF>1.47</vIBSUF></gIBSUFTot><gIBSMunTot><vIBSMun>0.00</vIBSMun></gIBSMunTot></gIBS><gCBS><vCBS>13.23</vCBS></gCBS></totCIBS></IBSCBS>'

export function nfseXml(note: Note = {}): string {
  const { environment = '1', description = 'Licença de uso de software, plano anual\nCódigo PLG-202611000001' } = note
  const { taker = 'Padaria Açaí & Cia Ltda.', provider = 'Vendedora de Programas Ltda.', emitter = '1' } = note
  const { further, isReformed = true, hasFederal = true, version = '1.01' } = note
  const dpsId = 'DPS355030821122233300018100001000000000000042'
  return `<?xml version="1.0" encoding="UTF-8"?><NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="${version}"><infNFSe Id="NFS${ACCESS_KEY}"><xLocEmi>São Paulo</xLocEmi><xLocPrestacao>São Paulo</xLocPrestacao><nNFSe>42</nNFSe><cLocIncid>3550308</cLocIncid><xLocIncid>São Paulo</xLocIncid><xTribNac>Licenciamento ou cessão de direito de uso de programas de computação.</xTribNac><xNBS>Licenciamento de direitos de uso de programas de computador</xNBS><verAplic>SefinNac_1.6.0</verAplic><ambGer>2</ambGer><tpEmis>1</tpEmis><cStat>100</cStat><dhProc>2026-11-20T10:15:30-03:00</dhProc><nDFSe>142</nDFSe><emit><CNPJ>11222333000181</CNPJ><IM>12345678</IM><xNome>${escaped(provider)}</xNome><enderNac><xLgr>Rua das Laranjeiras</xLgr><nro>100</nro><xCpl>Sala 12</xCpl><xBairro>Centro</xBairro><cMun>3550308</cMun><UF>SP</UF><CEP>01001000</CEP></enderNac><fone>1133334444</fone><email>fiscal@vendedora.example</email></emit><valores><vCalcDR>0</vCalcDR><vBC>1500.00</vBC><pAliqAplic>2.00</pAliqAplic><vISSQN>30.00</vISSQN><vTotalRet>92.25</vTotalRet><vLiq>1407.75</vLiq></valores>${isReformed ? COMPUTED : ''}<DPS versao="${version}"><infDPS Id="${dpsId}"><tpAmb>${environment}</tpAmb><dhEmi>2026-11-20T10:15:00-03:00</dhEmi><verAplic>titular-1</verAplic><serie>1</serie><nDPS>42</nDPS><dCompet>2026-11-20</dCompet><tpEmit>${emitter}</tpEmit><cLocEmi>3550308</cLocEmi><prest><CNPJ>11222333000181</CNPJ><IM>12345678</IM><regTrib><opSimpNac>1</opSimpNac><regEspTrib>0</regEspTrib></regTrib></prest><toma><CNPJ>12ABC34501DE35</CNPJ><xNome>${escaped(taker)}</xNome><end><endNac><cMun>3304557</cMun><CEP>20040002</CEP></endNac><xLgr>Avenida do Porto</xLgr><nro>7</nro><xBairro>Saúde</xBairro></end><email>contas@acai.example</email></toma><serv><locPrest><cLocPrestacao>3550308</cLocPrestacao></locPrest><cServ><cTribNac>010501</cTribNac><xDescServ>${escaped(description)}</xDescServ><cNBS>115021000</cNBS></cServ>${further === undefined ? '' : `<infoCompl><xInfComp>${escaped(further)}</xInfComp></infoCompl>`}</serv><valores><vServPrest><vServ>1500.00</vServ></vServPrest><trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>1</tpRetISSQN></tribMun>${hasFederal ? FEDERAL : ''}<totTrib><pTotTrib><pTotTribFed>13.45</pTotTribFed><pTotTribEst>0.00</pTotTribEst><pTotTribMun>2.00</pTotTribMun></pTotTrib></totTrib></trib></valores>${isReformed ? DECLARED : ''}</infDPS>${SIGNATURE(dpsId)}</DPS></infNFSe>${SIGNATURE(`NFS${ACCESS_KEY}`)}</NFSe>`
}
