// Valid texts that could break what is derived from them: only symbols, only marks, texts that become longer when
// folded, and syntax of pages, mails, statements and paths.
import fc from 'fast-check'

const SIGNS = ['?', '...', '***', '%', '%_%', '\\', '/', '"', `'`, '`', '()', '|', '~^', '$1', '-', '#'] as const
/** Texts without letters; folding leaves nothing of the first three. */
const MARKS = ['´', '\u0301', '\u0308\u0301', '¨', '…', '–', '。', '\u00a0', '\u3000', '\u200b', '\u00ad'] as const
const WRITING = [
  '\u202eabc',
  'e\u0301',
  'İ',
  'ß',
  'ﷺ',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '𝒯𝓎',
  '日本語',
  'عربى',
  '％＿＼',
  '\ufeff',
  '\uffff',
] as const
const MEANT = [
  `'; drop table quotes; --`,
  '<script>alert(1)</script>',
  '<!--&lt;]]>',
  '{{7*7}}',
  '<%= 1 %>',
  '${1}',
  '__proto__',
  'null',
  '=1+1',
  '../../etc/passwd',
  '%00',
] as const

/** Short texts, as people could type them. */
export const HOSTILE: readonly string[] = [...SIGNS, ...MARKS, ...WRITING, ...MEANT]

/** The longest texts of a field: four bytes per character, a character that folds to eighteen, stacked marks, words. */
export const longest = (length: number): string[] =>
  ['𝒯', 'ﷺ', '\u0301', 'a ', '? ', '"\\'].map((unit) => Array.from(unit.repeat(length)).slice(0, length).join(''))

/** Any mixture of these and of all Unicode characters except NUL and unpaired surrogates. */
export const hostileText = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', minLength: 1, maxLength: 12 })), {
      minLength: 1,
      maxLength: 12,
    })
    .map((parts) => Array.from(parts.join('').toWellFormed().replaceAll('\0', '')).slice(0, maxLength).join('') || '?')
