// The fonts of documents: DejaVu, and Noto for the scripts that DejaVu lacks. A font is opened when a text first needs
// it, since those of Chinese, Japanese and Korean have 5 to 10 MB.
import { fileURLToPath } from 'node:url'
import { graphemesOf, isSimple, type Measure } from './text.ts'

export type Face = {
  /** As registered in the document. */
  name: string
  /** The font has no bold face, so that its bold letters get a thicker outline. */
  isOnlyRegular: boolean
  /** From the top of a line to its base line, at size 1. */
  ascent: number
  widthOf: Measure
  /** Whether the font has all characters of the text; joiners need none. */
  hasAll: (text: string) => boolean
}
export type Run = { face: Face; text: string }
export type Fonts = ReturnType<typeof openFonts>

type Source = { name: string; file: () => string; letters: RegExp }

// Whole fonts that do not vary: pdfkit's font engine can embed no part of a WOFF2 file or of a variable font.
const DEVANAGARI: Source = {
  name: 'devanagari',
  file: () =>
    import.meta.resolve('@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf'),
  letters: /\p{scx=Devanagari}/u,
}
const THAI: Source = {
  name: 'thai',
  file: () => import.meta.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
  letters: /\p{scx=Thai}/u,
}
const KOREAN: Source = {
  name: 'korean',
  file: () => import.meta.resolve('@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf'),
  letters: /\p{Script=Hangul}/u,
}
/** With their punctuation, and the full and half width forms. */
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\u3000-\u33ff\uff00-\uffef]/u
const JAPANESE: Source = {
  name: 'japanese',
  file: () => import.meta.resolve('@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf'),
  letters: EAST_ASIAN,
}
const CHINESE: Source = {
  name: 'chinese',
  file: () => import.meta.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
  letters: EAST_ASIAN,
}
const EMOJI: Source = {
  name: 'emoji',
  file: () => import.meta.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
  letters: /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u,
}
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const JOINERS = /[\u200c\u200d]/g

/** The number of words whose widths are cached, and of graphemes whose fonts are. */
const MAX_CACHED = 20_000

/** `sample`: all texts of the document. If they have kana, Chinese characters get their Japanese forms. */
export function openFonts(doc: PDFKit.PDFDocument, sample: unknown) {
  const han = KANA.test(JSON.stringify(sample)) ? [JAPANESE, CHINESE] : [CHINESE]
  const others = [DEVANAGARI, THAI, KOREAN, ...han, EMOJI].map(({ name, file, letters }) => ({
    letters,
    open: lazy(() => openFace(doc, name, file(), true)),
  }))
  const dejavu = (name: string, file: string) => {
    const base = openFace(doc, name, import.meta.resolve(`dejavu-fonts-ttf/ttf/${file}.ttf`), false)
    return {
      base,
      faceOf: cached((grapheme) => {
        if (base.hasAll(grapheme)) return base
        const other = others.find(({ letters, open }) => letters.test(grapheme) && open().hasAll(grapheme))
        return other?.open() ?? null
      }),
    }
  }
  const regular = lazy(() => dejavu('regular', 'DejaVuSans'))
  const bold = lazy(() => dejavu('bold', 'DejaVuSans-Bold'))
  const familyOf = (isBold: boolean) => (isBold ? bold() : regular())

  /** The pieces of a text that one font each draws. What no font has is drawn by the first one, as its empty box. */
  function runsOf(text: string, isBold: boolean): Run[] {
    const { base, faceOf } = familyOf(isBold)
    if (isSimple(text)) return [{ face: base, text }]
    const runs: Run[] = []
    for (const grapheme of graphemesOf(text)) {
      const face = faceOf(grapheme) ?? base
      const last = runs.at(-1)
      if (last?.face === face) last.text += grapheme
      else runs.push({ face, text: grapheme })
    }
    return runs
  }
  return {
    runsOf,
    canDraw: (grapheme: string, isBold: boolean) => familyOf(isBold).faceOf(grapheme) !== null,
    ascentOf: (isBold: boolean) => familyOf(isBold).base.ascent,
    widthOf: (text: string, isBold: boolean) =>
      runsOf(text, isBold).reduce((sum, run) => sum + run.face.widthOf(run.text), 0),
  }
}

/** Of pdfkit's font engine, by the file. */
const opened = new Map<string, object>()

/**
 * Opened anew for each document: a font keeps its glyphs, and one that an accented letter was embedded with has lost
 * its character, so that the text of a later document could be neither searched nor copied. Its tables are those of the
 * first one, since decoding them takes by far the longest part of opening a font, and embedding changes copies alone.
 */
function openAgain(font: object): object {
  const stream: unknown = Reflect.get(font, 'stream')
  const [Font, Stream] = [classOf(font), classOf(stream)]
  const again: object = Reflect.construct(Font, [Reflect.construct(Stream, [Reflect.get(Object(stream), 'buffer')])])
  Reflect.set(again, '_tables', Reflect.get(font, '_tables'))
  return again
}

function classOf(made: unknown) {
  const found: unknown = Reflect.get(Object(made), 'constructor')
  if (typeof found !== 'function') throw new TypeError('a font is made by a class')
  return found
}

function openFace(doc: PDFKit.PDFDocument, name: string, file: string, isOnlyRegular: boolean): Face {
  const before = opened.get(file)
  // pdfkit takes an opened font too, which its types do not say.
  Reflect.apply(doc.registerFont, doc, [name, before ? openAgain(before) : fileURLToPath(file)])
  doc.font(name)
  // pdfkit keeps the opened font to itself.
  const own: unknown = Reflect.get(doc, '_font')
  const font: unknown = Reflect.get(Object(own), 'font')
  if (!before) opened.set(file, Object(font))
  const ask: unknown = Reflect.get(Object(font), 'hasGlyphForCodePoint')
  if (typeof ask !== 'function') throw new Error('the font cannot be asked for its characters')
  return {
    name,
    isOnlyRegular,
    ascent: Number(Reflect.get(Object(own), 'ascender')) / 1000,
    widthOf: cached((text) => doc.font(name).fontSize(100).widthOfString(text) / 100),
    hasAll: (text) =>
      Array.from(text.replace(JOINERS, '')).every((one) => Boolean(Reflect.apply(ask, font, [one.codePointAt(0)]))),
  }
}

function lazy<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

function cached<T>(make: (text: string) => T): (text: string) => T {
  const values = new Map<string, { value: T }>()
  return (text) => {
    const known = values.get(text)
    if (known) return known.value
    const value = make(text)
    if (values.size >= MAX_CACHED) values.clear()
    values.set(text, { value })
    return value
  }
}
