// What a name must not hold: characters that nobody sees. They turn the reading direction of what stands beside them
// (U+202E makes "gpj.exe" of "exe.jpg"), or make two names look like one.

/** As Unicode lists them: direction marks, zero-width spaces, fillers, tags; and the anchors of annotations. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u

/** Scripts that are written with joiners: without them a word is another word, or misspelt. */
const JOINING =
  'Arabic Syriac Mandaic Nko Mongolian Phags_Pa Adlam Hanifi_Rohingya Devanagari Bengali Gurmukhi Gujarati Oriya Tamil ' +
  'Telugu Kannada Malayalam Sinhala Myanmar Khmer Javanese Balinese'
const LETTER = `[${JOINING.split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')}]`
// After these ZWJ may also end a word: heh, as Persian abbreviations have it, and the viramas of Indic scripts.
const BEFORE_LAST = String.raw`[\u0647\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`
const JOINED = String.raw`(?<=${LETTER})[\u200c\u200d](?=${LETTER})|(?<=${BEFORE_LAST})\u200d`

// Skin, the form of an emoji (U+FE0F), and ZWJ between emoji that make one; flags of regions are spelt in tags.
const PICTURE = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?`
const FLAG = String.raw`\u{1f3f4}[\u{e0030}-\u{e007a}]{2,6}\u{e007f}`
const EMOJI = String.raw`${FLAG}|${PICTURE}(?:\u200d${PICTURE})*|[0-9#*]\ufe0f\u20e3`

// The form of a character that was asked for: in Japanese names, in Mongolian, in Myanmar.
const FORMED = String.raw`(?<=\p{Script=Han})[\ufe00-\ufe02\u{e0100}-\u{e01ef}]|(?<=\p{Script=Mongolian})[\u180b-\u180f]|(?<=\p{Script=Myanmar})\ufe00`

const IN_THEIR_PLACE = new RegExp(`${EMOJI}|${JOINED}|${FORMED}`, 'gu')

// The empty Braille cell is no white space to JavaScript, and looks like one.
const BLANK = /^[\s\u2800]*$/

/** No invisible character but those that emoji and scripts need, where they need them; and something to see. */
export const isVisibleText = (text: string): boolean =>
  !BLANK.test(text) && (!INVISIBLE.test(text) || !INVISIBLE.test(text.replaceAll(IN_THEIR_PLACE, '')))
