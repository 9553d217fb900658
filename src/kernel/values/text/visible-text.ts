// Names must not contain invisible characters. Some change the reading direction of the text beside them (U+202E makes
// "gpj.exe" look like "exe.jpg"), others make two different names look the same.

/** As listed by Unicode: direction marks, zero-width spaces, fillers, tags; and annotation anchors. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u

/** Scripts that need joiners: without them a word becomes another word, or is misspelt. */
const JOINING =
  'Arabic Syriac Mandaic Nko Mongolian Phags_Pa Adlam Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati ' +
  'Oriya Tamil ' +
  'Telugu Kannada Malayalam Sinhala Myanmar Khmer Javanese Balinese'
const LETTER = `[${JOINING.split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')}]`
// After these characters a ZWJ may also end a word: heh (in Persian abbreviations) and the viramas of Indic scripts.
const BEFORE_LAST = String.raw`[\u0647\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`
const JOINED = String.raw`(?<=${LETTER})[\u200c\u200d](?=${LETTER})|(?<=${BEFORE_LAST})\u200d`

// Skin tones, emoji presentation (U+FE0F), and ZWJ between emoji that form one; flags of regions are spelt with tags.
const PICTURE = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?`
const FLAG = String.raw`\u{1f3f4}[\u{e0030}-\u{e007a}]{2,6}\u{e007f}`
const EMOJI = String.raw`${FLAG}|${PICTURE}(?:\u200d${PICTURE})*|[0-9#*]\ufe0f\u20e3`

// Variation selectors: in Japanese names, in Mongolian, in Myanmar.
const HAN = String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`
const VARIATION = String.raw`${HAN}|(?<=\p{Script=Mongolian})[\u180b-\u180f]|(?<=\p{Script=Myanmar})\ufe00`

const NEEDED = new RegExp(`${EMOJI}|${JOINED}|${VARIATION}`, 'gu')

// The empty Braille cell (U+2800) looks like white space, but JavaScript does not count it as such.
const BLANK = /^[\s\u2800]*$/

/** Has something visible, and invisible characters only where emoji or scripts need them. */
export const isVisibleText = (text: string): boolean =>
  !BLANK.test(text) && (!INVISIBLE.test(text) || !INVISIBLE.test(text.replaceAll(NEEDED, '')))

/** Text of another system, without the invisible characters that nothing needs. */
export const visibleIn = (text: string): string => text.replaceAll(NEEDED_OR_NOT, '$1').trim()
const NEEDED_OR_NOT = new RegExp(`(${NEEDED.source})|${INVISIBLE.source}`, 'gu')
