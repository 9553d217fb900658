// Content types by a file's first bytes, and file names that contradict them.
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { contentTypeOf, downloadName, extensionOf, HEAD_BYTES, problemWith } from './content-type.ts'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const box = (brand: string): Buffer => latin(`\0\0\0\u0018ftyp${brand}\0\0\0\0isom`)

const chunk = (name: string, length: number): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(length)
  head.write(name, 4)
  return Buffer.concat([head, Buffer.alloc(length + 4, 1)])
}
const png = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([latin('\u0089PNG\r\n\u001a\n'), chunk('IHDR', 13), ...chunks])

/** The bytes of one entry of a ZIP archive. */
function entry(name: string, content: string): Buffer {
  const bytes = deflateRawSync(content)
  const head = Buffer.alloc(30)
  head.write('PK\u0003\u0004')
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(bytes.length, 18)
  head.writeUInt32LE(content.length, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, latin(name), bytes])
}
const OFFICE = 'application/vnd.openxmlformats-officedocument'
const contents = (main: string): Buffer =>
  entry(
    '[Content_Types].xml',
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/x" ContentType="${main}.main+xml"/></Types>`,
  )

const KINDS: [string, Buffer, string][] = [
  ['a.pdf', latin('%PDF-1.7\n'), 'application/pdf'],
  ['a.png', png(chunk('IDAT', 9000)), 'image/png'],
  ['a.png', png(chunk('iCCP', 9000), chunk('IDAT', 9)), 'image/png'],
  ['a.png', png(chunk('acTL', 8), chunk('IDAT', 9)), 'image/png'],
  ['a.JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
  ['a.gif', latin('GIF89a\u0001\0\u0001\0'), 'image/gif'],
  ['a.webp', latin('RIFF\0\0\0\0WEBPVP8 '), 'image/webp'],
  ['a.mp4', box('isom'), 'video/mp4'],
  ['a.mp4', box('M4V '), 'video/mp4'],
  ['a.mov', box('qt  '), 'video/mp4'],
  ['a.mp4', box('3gp5'), 'video/mp4'],
  ['a.heic', box('heic'), 'application/octet-stream'],
  ['a.gz', gzipSync('text'), 'application/gzip'],
  ['a.7z', Buffer.from('377abcaf271c0004', 'hex'), 'application/x-7z-compressed'],
  ['a.docx', contents(`${OFFICE}.wordprocessingml.document`), `${OFFICE}.wordprocessingml.document`],
  ['a.xlsx', contents(`${OFFICE}.spreadsheetml.sheet`), `${OFFICE}.spreadsheetml.sheet`],
  ['a.pptx', contents(`${OFFICE}.presentationml.presentation`), `${OFFICE}.presentationml.presentation`],
  ['a.docx', entry('docProps/thumbnail.jpeg', 'x'), 'application/zip'],
  ['a.odt', entry('mimetype', 'application/vnd.oasis.opendocument.text'), 'application/zip'],
  ['a.zip', entry('META-INF/MANIFEST.MF', 'x'), 'application/zip'],
  ['a.txt', latin('text'), 'text/plain; charset=utf-8'],
  ['a.txt', latin('The free trial ends on Monday'), 'text/plain; charset=utf-8'],
  ['a.txt', latin('GIFTS for customers'), 'text/plain; charset=utf-8'],
  ['a.csv', Buffer.from(`${'x'.repeat(HEAD_BYTES - 1)}ã`), 'text/plain; charset=utf-8'],
  ['a.html', latin('<!DOCTYPE html><script>alert(1)</script>'), 'text/plain; charset=utf-8'],
  ['a.svg', latin('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'text/plain; charset=utf-8'],
  ['a.wasm', Buffer.from('0061736d01000000', 'hex'), 'application/octet-stream'],
  ['a', Buffer.from([0, 1, 2]), 'application/octet-stream'],
]

describe('contentTypeOf', () => {
  it.each(KINDS)('%s %#', async (name, content, type) => {
    const found = await contentTypeOf(content.subarray(0, HEAD_BYTES))
    expect(found).toBe(type)
    expect(problemWith(name, found)).toBeNull()
  })
  it.each([
    ['Windows', latin('MZ\u0090\0')],
    ['Linux', latin('\u007fELF\u0002\u0001\u0001')],
    ['macOS', Buffer.from('cffaedfe07000001', 'hex')],
    ['macOS, for several processors', Buffer.from('cafebabe00000002', 'hex')],
    ['Java', Buffer.from('cafebabe00000034', 'hex')],
  ])('knows a program for %s, whatever its name', async (_system, content) => {
    expect(problemWith('a.txt', await contentTypeOf(content))).toBe('programs are not taken')
  })
  it.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000)), 'application/gzip'],
    ['ZIP', entry('[Content_Types].xml', ' '.repeat(3_000_000)), 'application/zip'],
  ])('answers for an archive bomb (%s) of which only the head is read', async (_format, bomb, type) => {
    expect(await contentTypeOf(bomb.subarray(0, HEAD_BYTES))).toBe(type)
  })
})

describe('problemWith', () => {
  it.each([
    ['a.pdf', latin('text')],
    ['a.png', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['a.zip', contents(`${OFFICE}.wordprocessingml.document`)],
    ['a.xlsx', contents(`${OFFICE}.wordprocessingml.document`)],
  ])('%s is not what its name says %#', async (name, content) => {
    expect(problemWith(name, await contentTypeOf(content))).toBe('is not what its name says')
  })
})

describe('downloadName', () => {
  it.each([
    ['plan.PDF', 'application/pdf', 'plan.PDF'],
    ['plan', 'application/pdf', 'plan.pdf'],
    ['setup.bat', 'text/plain; charset=utf-8', 'setup.bat.txt'],
    ['page.svg', 'text/plain; charset=utf-8', 'page.svg.txt'],
    ['data.csv', 'text/plain; charset=utf-8', 'data.csv'],
    ['report.odt', 'application/zip', 'report.odt'],
    ['app.jar', 'application/zip', 'app.jar.zip'],
    ['signed.pdf.p7s', 'application/octet-stream', 'signed.pdf.p7s'],
    ['tool.exe', 'application/octet-stream', 'tool.exe.bin'],
  ])('%s of %s is %s', (name, type, wanted) => {
    expect(downloadName(name, type)).toBe(wanted)
  })
})

describe('extensionOf', () => {
  it('gives a type the first of its extensions, and `bin` to an unknown type', () => {
    expect(['image/jpeg', 'text/plain; charset=utf-8', 'application/octet-stream'].map(extensionOf)).toEqual([
      'jpg',
      'txt',
      'bin',
    ])
  })
})
