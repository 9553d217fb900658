// The DANFSe: the content of the XML, on one page, with a QR code for the portal.
import { describe, expect, it } from 'vitest'
import { ACCESS_KEY, nfseXml, type Note } from '#test/scenes/nfse-note.ts'
import { faultsOf } from '#test/scenes/nfse-schemas.ts'
import { rectanglesOn, textOn, writtenOn } from '#test/harness/pdf-text.ts'
import { qrCodeOn } from '#test/harness/qr-code.ts'
import { renderDocument } from '../../../../adapters/pdf/render-document.ts'
import { danfseOf, type DanfseMark } from './danfse.ts'

const rendered = (note: Note = {}, mark?: DanfseMark) => renderDocument(danfseOf(nfseXml(note), mark))
const pageOf = async (note: Note = {}, mark?: DanfseMark) => {
  const pages = textOn(await rendered(note, mark))
  expect(pages).toHaveLength(1)
  return pages[0] ?? ''
}

describe('the content of a DANFSe', () => {
  it('has title, key, numbers, both parties, the service, the taxes and the sums', async () => {
    const page = await pageOf({ further: 'Contrato 12' })
    for (const text of [
      'DANFSe v2.0',
      '35503 08221 12223 33000 18100 00000 00004 22611 12345 67895',
      '20/11/2026 10:15:30 -03:00',
      '11.222.333/0001-81',
      'Vendedora de Programas Ltda.',
      'Rua das Laranjeiras, 100, Sala 12, Centro',
      '12.ABC.345/01DE-35',
      'Padaria Açaí & Cia Ltda.',
      'IBGE 3304557',
      'INTERMEDIÁRIO DO SERVIÇO NÃO IDENTIFICADO NA NFS-e',
      'Licença de uso de software, plano anual',
      'Código PLG-202611000001',
      'R$ 9,75 (0,65 %)',
      '3 - PIS/COFINS/CSLL retidos',
      'R$ 1,47 (0,10 %)',
      'R$ 1.514,70',
      'R$ 1.407,75',
      '13,45 %',
      'Contrato 12',
    ])
      expect(page.replaceAll('\u00a0', ' ')).toContain(text)
    expect(page).not.toMatch(/SEM VALIDADE|CANCELADA|SUBSTITU/)
  })
  it('has nothing that the XML does not have', async () => {
    const page = await pageOf({ isReformed: false, hasFederal: false })
    expect(page).not.toContain('IBS / CBS')
    expect(page).toContain('TRIBUTAÇÃO FEDERAL NÃO INFORMADA NA NFS-e')
    expect(page).not.toMatch(/undefined|null|NaN|\[object/)
  })
  it('names the provider as declared when somebody else issued the note', () => {
    const [provider] = danfseOf(nfseXml({ emitter: '2' })).sections
    expect(provider?.rows.flat().map(({ value }) => value)).not.toContain('Vendedora de Programas Ltda.')
  })
  it('has a red line for a note of the test environment, and a mark for a cancelled or replaced one', async () => {
    const [page = []] = writtenOn(await rendered({ environment: '2' }))
    const notice = page.find(({ text }) => text === 'NFS-e SEM VALIDADE JURÍDICA')
    expect(notice?.color.split(' ').slice(0, 3).map(Number)).toEqual([0xb4, 0x23, 0x18].map((part) => part / 255))
    for (const [mark, word] of [
      ['cancelled', 'CANCELADA'],
      ['replaced', 'SUBSTITUÍDA'],
    ] as const) {
      const [marked = []] = writtenOn(await rendered({}, mark))
      expect(marked.find(({ text }) => text === word)?.size).toBeGreaterThanOrEqual(50)
    }
  })
})

describe('the page of a DANFSe', () => {
  it('is one page of A4 with margins of 0.15 to 0.20 cm, with texts of any length', async () => {
    for (const long of ['Palavra curta. '.repeat(130), 'x'.repeat(2000), 'linha\n'.repeat(300), '👩‍💻'.repeat(400)]) {
      const note = { description: long, further: long, taker: long.slice(0, 300), provider: long.slice(0, 300) }
      const bytes = await rendered(note, 'replaced')
      const [page = []] = writtenOn(bytes)
      expect(writtenOn(bytes)).toHaveLength(1)
      expect(Buffer.from(bytes).toString('latin1')).toContain('/MediaBox [0 0 595.28 841.89]')
      const centimetre = 72 / 2.54
      const frame = rectanglesOn(bytes)[0]?.find(([, , width = 0]) => width > 500) ?? []
      expect(frame[0]).toBeGreaterThanOrEqual(0.15 * centimetre)
      expect(frame[0]).toBeLessThanOrEqual(0.2 * centimetre)
      for (const { y, text } of page.filter(({ size }) => size < 50)) expect(y, text).toBeGreaterThan(0.2 * centimetre)
      expect(page.map(({ text }) => text)).toContain('VALOR TOTAL DA NFS-e')
    }
  })
  it('has a QR code of 1.52 cm or more that holds the portal’s address with the key', async () => {
    const danfse = danfseOf(nfseXml())
    expect(danfse.consultation).toBe(`https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=${ACCESS_KEY}`)
    const { text, side } = qrCodeOn(await renderDocument(danfse))
    expect(text).toBe(danfse.consultation)
    expect(side).toBeGreaterThanOrEqual((1.52 * 72) / 2.54)
  })
  it('gives the same bytes for the same note', async () => {
    expect(Buffer.compare(await rendered(), await rendered())).toBe(0)
  })
})

describe('the parsing of a note', () => {
  it.each([
    ['no XML', '<NFSe', /well-formed/],
    ['another document', '<CTe versao="1.01"/>', /known layout/],
    ['a layout that nobody knows', nfseXml({ version: '2.00' }), /known layout: 2.00/],
    ['a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${nfseXml()}`, /document type/],
    ['no key', nfseXml().replaceAll(ACCESS_KEY, '1'), /access key/],
    ['no environment', nfseXml().replace('<tpAmb>1</tpAmb>', ''), /environment/],
    ['too much', nfseXml().replace('</NFSe>', `${' '.repeat(1024 * 1024)}</NFSe>`), /too long/],
  ])('rejects %s', (_name, xml, why) => {
    expect(() => danfseOf(xml)).toThrow(why)
  })
  it('takes markup, entities and names of prototypes as text', () => {
    const nasty = '<b>&amp;lt;</b> &#65; &xxe; %PDF __proto__'
    const service = danfseOf(nfseXml({ description: nasty })).sections.find(({ title }) => title === 'SERVIÇO PRESTADO')
    expect(service?.rows.at(-1)?.[0]?.value).toBe(nasty)
    expect(
      danfseOf(nfseXml().replace('<IM>12345678</IM>', '<IM>&#x41;&amp;#66;</IM>')).sections[0]?.rows[0]?.[1]?.value,
    ).toBe('A&#66;')
    for (const hostile of ['constructor', '__proto__', 'toString', '&#xD800;']) {
      const note = nfseXml()
        .replace(/<tribISSQN>[^<]*/, `<tribISSQN>${hostile}`)
        .replace(/<cStat>[^<]*/, `<cStat>${hostile}`)
      const words = JSON.stringify(danfseOf(note))
      expect(words).toContain(`"${hostile}"`)
      expect(words).not.toMatch(/native code|\[object/)
    }
  })
})

describe('the note of these tests', () => {
  it.each([{}, { isReformed: false, hasFederal: false, further: 'Contrato 12', environment: '2' as const }])(
    'fits the published schemas: %o',
    async (note) => expect(await faultsOf(nfseXml(note), 'NFSe')).toEqual([]),
  )
})
