// The XML of a declaration: identifiers, order of elements, text, and missing data.
import { describe, expect, it } from 'vitest'
import { type FiscalProfile } from '#ports/fiscal-profiles.ts'
import { type TaxDeclaration, UndeclarableService } from '#ports/tax-authority.ts'
import {
  ABROAD,
  ABROAD_WITHOUT_NUMBER,
  CASES,
  COMPANY,
  EXPORTED,
  PROFILE,
  REFORM,
  SIMPLES,
  STRANGE,
  WITHHELD,
  WITHOUT_ADDRESS,
  declaration,
} from '#test/scenes/nfse-fixtures.ts'
import { ACCESS_KEY } from '#test/scenes/nfse-note.ts'
import { declarationValues } from './declaration.ts'
import { checkDigit, declarationId, isAccessKey } from './identifiers.ts'
import { layoutOf } from './layouts.ts'
import { latin, line, paragraphs } from './wording.ts'
import { writeXml } from './xml-writer.ts'

const CONTEXT = { environment: '2', application: 'Titular', recipients: 'whole', complement: null } as const

function xmlOf(given: TaxDeclaration, profile: FiscalProfile = PROFILE, more: object = {}): string {
  const layout = layoutOf('1.01')
  return writeXml({ ...layout, ...layout.declaration, ...declarationValues(given, profile, { ...CONTEXT, ...more }) })
}

function missing(given: Partial<TaxDeclaration>, profile: FiscalProfile = PROFILE): string[] {
  try {
    xmlOf(declaration(given), profile)
    return []
  } catch (error) {
    if (!(error instanceof UndeclarableService)) throw error
    return error.problems.map(({ code, message }) => (message.length > 10 ? code : 'no message'))
  }
}

const id = (taxId: string) => declarationId({ municipality: '3550308', taxId, series: '1', number: 42 })
const address = (more: object) => ({ recipient: { ...COMPANY, address: { ...COMPANY.address, ...more } } })

describe('the phone of the recipient', () => {
  it.each([
    ['+55 (11) 3333-4444 ramal 12', '551133334444'],
    ['11 3333-4444 x12', '1133334444'],
    ['11 3333-4444, ext. 12', '1133334444'],
    ['11 3333-4444 #12', '1133334444'],
  ])('%s is %s, without its extension', (phone, digits) => {
    expect(xmlOf(declaration({ recipient: { ...COMPANY, phone } }))).toContain(`<fone>${digits}</fone>`)
  })
})

describe('identifiers', () => {
  it('of a declaration: type 2 for a CNPJ, 1 for a CPF, letters kept', () => {
    expect(id('12ABC34501DE35')).toBe('DPS3550308212ABC34501DE3500001000000000000042')
    expect(id('52998224725')).toBe('DPS355030810005299822472500001000000000000042')
    for (const wrong of ['', '1122233300018', '112223330001811', '12abc34501de35', '12ABC34501DE3X'])
      expect(id(wrong)).toBeNull()
    for (const number of [0, -1, 1.5, 1e15, Number.NaN])
      expect(declarationId({ municipality: '3550308', taxId: '52998224725', series: '1', number })).toBeNull()
  })
  it('of a tax invoice: the check digit is the CNPJ’s', () => {
    // The same rule gives the check digits of known CNPJs.
    for (const cnpj of ['12ABC34501DE35', '11222333000181', '1K2M3N4P0A9Z40', '00000000000A04'])
      expect(checkDigit(cnpj.slice(0, 13)), cnpj).toBe(cnpj.slice(13))
    const base = '35503082212ABC34501DE35000000000000126111234567'.padEnd(49, '0')
    expect(isAccessKey(base + checkDigit(base))).toBe(true)
    expect(isAccessKey(base + ((Number(checkDigit(base)) + 1) % 10))).toBe(false)
    expect(isAccessKey(base)).toBe(false)
  })
})

describe('the XML of a declaration', () => {
  it('has the number of the purchase whole or not at all', () => {
    const [longest, longer] = ['P'.repeat(60), 'P'.repeat(61)]
    expect(xmlOf(declaration({ purchaseOrder: longest }))).toContain(`<xPed>${longest}</xPed>`)
    expect(xmlOf(declaration({ purchaseOrder: longer }))).not.toContain('xPed')
  })
  it('has the layout’s elements in its order, and nothing else', () => {
    expect(xmlOf(declaration({ purchaseOrder: 'PO “7”' }), REFORM, { complement: 'a & b' })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><DPS xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01">' +
        '<infDPS Id="DPS355030821122233300018100001000000000000042"><tpAmb>2</tpAmb><dhEmi>2026-11-20T14:05:00-03:00</dhEmi>' +
        '<verAplic>Titular</verAplic><serie>1</serie><nDPS>42</nDPS><dCompet>2026-11-20</dCompet><tpEmit>1</tpEmit>' +
        '<cLocEmi>3550308</cLocEmi><prest><CNPJ>11222333000181</CNPJ><IM>12345678</IM><regTrib><opSimpNac>1</opSimpNac>' +
        '<regEspTrib>0</regEspTrib></regTrib></prest><toma><CNPJ>19131243000197</CNPJ><IM>998877</IM>' +
        '<xNome>ACME Comércio S.A.</xNome><end><endNac><cMun>3550308</cMun><CEP>01310100</CEP></endNac>' +
        '<xLgr>Av. Paulista</xLgr><nro>1000</nro><xCpl>10º andar</xCpl><xBairro>Bela Vista</xBairro></end>' +
        '<fone>5511987654321</fone><email>fiscal@acme.example</email></toma><serv><locPrest>' +
        '<cLocPrestacao>3550308</cLocPrestacao></locPrest><cServ><cTribNac>010701</cTribNac><cTribMun>001</cTribMun>' +
        '<xDescServ>Suporte técnico\nem informática — plano anual</xDescServ><cNBS>115022000</cNBS></cServ>' +
        '<infoCompl><xPed>PO "7"</xPed><xInfComp>a &amp; b</xInfComp></infoCompl></serv><valores><vServPrest>' +
        '<vServ>1234.50</vServ></vServPrest>' +
        '<trib><tribMun><tribISSQN>1</tribISSQN><tpRetISSQN>1</tpRetISSQN><pAliq>2.90</pAliq></tribMun><totTrib><pTotTrib>' +
        '<pTotTribFed>13.45</pTotTribFed><pTotTribEst>0.00</pTotTribEst><pTotTribMun>2.90</pTotTribMun></pTotTrib></totTrib>' +
        '</trib></valores><IBSCBS><finNFSe>0</finNFSe><indFinal>0</indFinal><cIndOp>100301</cIndOp><indDest>0</indDest>' +
        '<valores><trib><gIBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></gIBSCBS></trib></valores></IBSCBS>' +
        '</infDPS></DPS>',
    )
  })
  it.each(Object.keys(CASES))('of %s has no empty element and no prefix', (name) => {
    const [given, profile] = CASES[name] ?? [declaration(), PROFILE]
    const xml = xmlOf(given, profile)
    expect(xml).not.toMatch(/<(\w+)[^>]*><\/\1>|\/>|<\w+:/)
    expect(xml.isWellFormed()).toBe(true)
  })
  it('has the tax burden in the element of each regime', () => {
    expect(xmlOf(declaration(), SIMPLES)).toContain('<totTrib><pTotTribSN>6.00</pTotTribSN></totTrib>')
    const exported = xmlOf(declaration({ recipient: ABROAD }), EXPORTED)
    expect(exported).toContain(
      '<tribISSQN>3</tribISSQN><cPaisResult>DE</cPaisResult><tpRetISSQN>1</tpRetISSQN></tribMun>',
    )
    expect(exported).toContain('<NIF>DE123456789</NIF>')
    expect(exported).toContain('<xLgr>Lodzka -</xLgr>')
    expect(xmlOf(declaration({ recipient: ABROAD_WITHOUT_NUMBER }), EXPORTED)).toContain('<cNaoNIF>2</cNaoNIF>')
  })
  it('has times without a fraction of a second, and the day of Brasília', () => {
    const late = { declaredAt: new Date('2026-11-21T02:59:59.999Z'), competence: '2026-11-20' }
    expect(xmlOf(declaration(late))).toContain('<dhEmi>2026-11-20T23:59:59-03:00</dhEmi>')
    expect(missing({ ...late, competence: '2026-11-21' })).toEqual(['COMPETENCE'])
  })
  it('throws for an element that its layout does not list', () => {
    const layout = layoutOf('1.01')
    const write = (values: object) => () =>
      writeXml({ ...layout, ...layout.declaration, id: 'x', values: { ...values } })
    expect(write({ surprise: '1' })).toThrow(/no surprise in infDPS/)
    expect(write({ prest: '1' })).toThrow(/no text in prest/)
    expect(write({ serie: { x: '1' } })).toThrow(/no elements in serie/)
    expect(() => layoutOf('1.02')).toThrow(/1\.02/)
  })
})

describe('missing data', () => {
  it.each<[string, Partial<TaxDeclaration>, string[]]>([
    ['nothing', {}, []],
    ['the city’s code', address({ cityCode: null }), ['RECIPIENT_IBGE_CODE']],
    [
      'half the address',
      address({ cityCode: 'SP', street: ' ', zipcode: '1310' }),
      ['RECIPIENT_IBGE_CODE', 'RECIPIENT_ZIPCODE', 'RECIPIENT_ADDRESS'],
    ],
    ['the CNPJ', { recipient: { ...COMPANY, taxId: null } }, ['RECIPIENT_TAX_ID']],
    ['a right CNPJ', { recipient: { ...COMPANY, taxId: '19.131.243/0001-97' } }, ['RECIPIENT_TAX_ID']],
    ['a number from abroad', { recipient: ABROAD_WITHOUT_NUMBER }, ['RECIPIENT_FOREIGN_TAX_ID']],
    ['the name', { recipient: { ...COMPANY, name: '\u0000 \n' } }, ['RECIPIENT_NAME']],
    ['the country', address({ country: 'Brasil' }), ['RECIPIENT_COUNTRY']],
    ['an amount', { amount: '0.00' }, ['AMOUNT']],
    ['a written amount', { amount: '1,50' }, ['AMOUNT']],
    ['the description', { description: '\u0007', service: { national: '010701' } }, ['DESCRIPTION']],
    ['a series of digits', { series: 'BR' }, ['SERIES']],
    ['a series of ours', { series: '50000' }, ['SERIES']],
    ['a day', { competence: 'hoje' }, ['COMPETENCE']],
    ['the provider’s CNPJ', { provider: { taxId: '', name: 'x' } }, ['PROVIDER_TAX_ID']],
    [
      'a reason in another alphabet',
      { replaces: { accessKey: ACCESS_KEY, reasonCode: '99', reason: 'Ошибка в адресе клиента' } },
      ['REPLACEMENT_REASON'],
    ],
    [
      'a key to replace',
      { replaces: { accessKey: '1', reasonCode: '7', reason: 'curto' } },
      ['REPLACED_ACCESS_KEY', 'REPLACEMENT_REASON', 'REPLACEMENT_REASON'],
    ],
  ])('%s', (_what, given, codes) => {
    expect(missing(given)).toEqual(codes)
  })
  it('includes the address when its city is owed the tax', () => {
    expect(missing({ recipient: WITHOUT_ADDRESS })).toEqual([])
    expect(missing({ recipient: WITHOUT_ADDRESS }, WITHHELD)).toContain('RECIPIENT_IBGE_CODE')
  })
  it('is left out by the rule of the sandbox', () => {
    const unknown = { ...WITHOUT_ADDRESS, taxId: null, address: { ...WITHOUT_ADDRESS.address, street: 'Rua A' } }
    expect(xmlOf(declaration({ recipient: unknown }), PROFILE, { recipients: 'as-known' })).toContain(
      '<toma><cNaoNIF>0</cNaoNIF><xNome>ACME Comércio S.A.</xNome></toma>',
    )
  })
})

describe('text', () => {
  it('loses characters that XML cannot contain, and is cut between characters', () => {
    expect(paragraphs('a\u0000\u0007b\r\nc\rd\ud800 ', 99)).toBe('ab\nc\nd\ufffd')
    expect(line('  a \n\t b ', 99)).toBe('a b')
    expect(line('😀😀😀', 2)).toBe('😀😀')
    expect(line('\u0001', 2)).toBeNull()
  })
  it('gets the nearest Latin form where only Latin-1 is allowed', () => {
    expect(latin('“Ação” – ﬁm… 😀 Ǻ שלום', 99)).toBe('"Ação" - fim... A')
    expect(latin('北京', 99)).toBeNull()
    expect(xmlOf(declaration({ recipient: STRANGE }))).toContain(
      '<xCpl>"aspas" &amp; &lt;b&gt;\'x\'&lt;/b&gt; ]]&gt; fim</xCpl>',
    )
  })
})
