// Which images are taken as a logo, by their bytes.
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { PNG, SVG } from '#test/scenes/brand.ts'
import { pngProblem } from './png-problem.ts'
import { svgProblem } from './svg-problem.ts'

const svg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" ${attributes}>${content}</svg>`

describe('svgProblem', () => {
  it.each([
    SVG,
    svg('<!-- a comment --><g fill="none"><path d="M0 0h8" style="stroke:#0a7;fill:url(#a)"/></g>'),
    svg('<use href="#a"/>'),
    svg('<g fill="url( #a )"/>'),
    svg('<use xlink:href="#a"/>', 'xmlns:xlink="http://www.w3.org/1999/xlink"'),
    svg('<text>Ação &amp; Cia 👩‍💻</text>'),
    `\ufeff${svg('')}`,
    `<?xml version="1.0" encoding = "utf-8" standalone='no'?>\n${svg('<use href="#a"/>'.repeat(20))}`,
  ])('null for %s', (text) => {
    expect(svgProblem(text)).toBeNull()
  })
  it.each([
    [svg('<script>alert(1)</script>'), 'has the element script, which a logo must not have'],
    [svg('<g><g><SCRIPT/></g></g>'), 'has the element SCRIPT, which a logo must not have'],
    [
      svg('<s:script/>', 'xmlns:s="http://www.w3.org/2000/svg"'),
      'has the attribute xmlns:s, which a logo must not have',
    ],
    [svg('<x:script/>', 'xmlns:x="http://www.example.com"'), 'has the element x:script, which a logo must not have'],
    [svg('<foreignObject/>'), 'has the element foreignObject, which a logo must not have'],
    [svg('<image href="#a"/>'), 'has the element image, which a logo must not have'],
    [svg('<a href="#a"/>'), 'has the element a, which a logo must not have'],
    [svg('<animate attributeName="href"/>'), 'has the element animate, which a logo must not have'],
    [svg('', 'onload="alert(1)"'), 'has the attribute onload, which a logo must not have'],
    [svg('<g ONCLICK="x"/>'), 'has the attribute ONCLICK, which a logo must not have'],
    [svg('<use href="https://evil.example/x.svg#a"/>'), 'has the link href, which leads out of it'],
    [svg('<use href="data:image/svg+xml;base64,AAAA"/>'), 'has the link href, which leads out of it'],
    [svg('<use href="//evil.example#a"/>'), 'has the link href, which leads out of it'],
    [svg('', 'xml:base="https://evil.example/"'), 'has the link xml:base, which leads out of it'],
    [svg('<g fill="url(https://evil.example/x)"/>'), 'has a style that loads something, which a logo must not do'],
    [svg('<g style="fill:URL( //evil.example )"/>'), 'has a style that loads something, which a logo must not do'],
    [svg('<g style="fill:u\\72l(//evil.example)"/>'), 'has a style that loads something, which a logo must not do'],
    [svg('<style>@import "x.css"</style>'), 'has a style that loads something, which a logo must not do'],
    [
      svg('<style><![CDATA[a{b:url(x)}]]></style>'),
      'has a document type, an entity or another instruction, which a logo must not have',
    ],
    [
      `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`,
      'has a document type, an entity or another instruction, which a logo must not have',
    ],
    [
      `<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`,
      'has a document type, an entity or another instruction, which a logo must not have',
    ],
    [svg('<use href="&#x68;ttps://evil.example"/>'), 'has an entity, which a logo must not have'],
    [svg('&xxe;'), 'has an entity, which a logo must not have'],
    [
      svg('<style>a{fill:image-set("//evil.example" 1x)}</style>'),
      'has a style that loads something, which a logo must not do',
    ],
    [
      svg('<g style="fill:-webkit-image-set(\'//evil.example\' 1x)"/>'),
      'has a style that loads something, which a logo must not do',
    ],
    [`<?xml version="1.0" encoding="GBK"?>${svg('')}`, 'must be a PNG or an SVG in UTF-8'],
    [svg('<use href="#a"/>'.repeat(21)), 'has the element use more than 20 times'],
    [svg('<g __proto__="a"/>'), 'is no well-formed SVG'],
    [svg('<__proto__/>'), 'is no well-formed SVG'],
    [svg('<g>'), 'is no well-formed SVG'],
    ['<svg viewBox="0 0 8 8"/>', 'is no well-formed SVG'],
    [`<html xmlns="http://www.w3.org/1999/xhtml">${svg('')}</html>`, 'is no well-formed SVG'],
    [`${svg('')}${svg('')}`, 'is no well-formed SVG'],
    ['', 'is no well-formed SVG'],
  ])('%s', (text, problem) => {
    expect(svgProblem(text)).toBe(problem)
  })
  it('goes through a very deep one', () => {
    expect(svgProblem(svg(`${'<g>'.repeat(5000)}${'</g>'.repeat(5000)}`))).toBe('is no well-formed SVG')
  })
})

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

type Image = {
  width?: number
  height?: number
  depth?: number
  color?: number
  interlace?: number
  data?: Buffer
  more?: Buffer[]
}
function head({ width = 2, height = 2, depth = 8, color = 6, interlace = 0 }: Image): Buffer {
  const said = Buffer.alloc(13)
  said.writeUInt32BE(width, 0)
  said.writeUInt32BE(height, 4)
  said.set([depth, color, 0, 0, interlace], 8)
  return chunk('IHDR', said)
}
const END = chunk('IEND', Buffer.alloc(0))
/** `more`: chunks before the pixels. */
function png(image: Image = {}): Buffer {
  const { width = 2, height = 2, data = deflateSync(Buffer.alloc(height * (1 + width * 4))), more = [] } = image
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), head(image), ...more, chunk('IDAT', data), END])
}
const ROWS = Buffer.alloc(2 * 9)
const PALETTE = chunk('PLTE', Buffer.alloc(6))
const CLEAR = chunk('tRNS', Buffer.alloc(2))

describe('pngProblem', () => {
  it('null for whole images', () => {
    const inPalette = { color: 3, data: deflateSync(Buffer.alloc(2 * 3)), more: [PALETTE, CLEAR] }
    for (const image of [PNG, png(), png({ width: 1000, height: 1 }), png(inPalette)])
      expect(pngProblem(image)).toBeNull()
  })
  const whole = png({ width: 30, height: 30 })
  const flipped = Buffer.from(whole)
  flipped.writeUInt8(flipped.readUInt8(60) ^ 1, 60)
  it.each([
    ['one that is cut off', whole.subarray(0, -5), 'is a damaged image'],
    ['only its signature', whole.subarray(0, 8), 'is a damaged image'],
    ['one with a wrong byte', flipped, 'is a damaged image'],
    ['something behind it', Buffer.concat([whole, Buffer.from('x')]), 'is a damaged image'],
    ['no pixels', png({ width: 0 }), 'is a damaged image'],
    ['too few pixels', png({ data: deflateSync(Buffer.alloc(3)) }), 'is a damaged image'],
    ['more pixels than it says', png({ data: deflateSync(Buffer.alloc(100_000_000)) }), 'is a damaged image'],
    ['no palette', png({ color: 3 }), 'is a damaged image'],
    ['half a color', png({ color: 3, more: [chunk('PLTE', Buffer.alloc(4))] }), 'is a damaged image'],
    ['two heads', png({ more: [head({ width: 60_000, height: 60_000 })] }), 'is a damaged image'],
    ['two ends', png({ more: [END] }), 'is a damaged image'],
    ['rows that nothing can read', png({ data: deflateSync(ROWS.fill(9, 0, 1)) }), 'is a damaged image'],
    ['transparency by a color', png({ color: 2, more: [CLEAR] }), 'must have its transparency in an alpha channel'],
    [
      'transparency of 4 bits',
      png({ color: 3, depth: 4, more: [PALETTE, CLEAR] }),
      'must have its transparency in an alpha channel',
    ],
    ['1 bit for each of four channels', png({ depth: 1 }), 'must have 8 bits for each color and no interlacing'],
    ['too wide a one', png({ width: 1001, height: 1 }), 'must have at most 1000 pixels on each side'],
    [
      'too high a one',
      png({ width: 1, height: 4_000_000_000, data: Buffer.alloc(1) }),
      'must have at most 1000 pixels on each side',
    ],
    ['16 bits', png({ depth: 16 }), 'must have 8 bits for each color and no interlacing'],
    ['interlacing', png({ interlace: 1 }), 'must have 8 bits for each color and no interlacing'],
    ['a color type that there is not', png({ color: 5 }), 'must have 8 bits for each color and no interlacing'],
  ])('%s', (_name, bytes, problem) => {
    expect(pngProblem(bytes)).toBe(problem)
  })
})
