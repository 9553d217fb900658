// A brand as pages, mails and documents show it, and the shades of its color that can be read (WCAG 2.2, level AA).

export type Brand = {
  name: string
  /** `#rrggbb` */
  color: string
  supportUrl: string | null
  /** An address, or the image itself as one; null: the name is shown. */
  logo: string | null
}

export type Shades = {
  /** Black or white, whichever is read better on the color itself. */
  text: string
  /** The color, as dark as text on a light page needs. White can be read on it. */
  onLight: string
  /** The color, as light as text on a dark page needs. Black can be read on it. */
  onDark: string
}

const WHITE = '#ffffff'
const BLACK = '#000000'
/** The backgrounds of the pages and mails that are closest to the text. */
const DARKEST_LIGHT = '#f3f5f8'
const LIGHTEST_DARK = '#1b212a'
/** Of normal text, by level AA. */
const ENOUGH = 4.5
const STEPS = 50

export const shadesOf = (color: string): Shades => ({
  text: contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK,
  onLight: readable(color, BLACK, DARKEST_LIGHT),
  onDark: readable(color, WHITE, LIGHTEST_DARK),
})

/** Mixed with black or white until it can be read; each of both can. */
function readable(color: string, towards: string, background: string): string {
  for (let step = 0; step < STEPS; step++) {
    const shade = mixed(color, towards, step / STEPS)
    if (contrast(shade, background) >= ENOUGH) return shade
  }
  return towards
}

/** `share`: of the second color, from 0 to 1. */
export function mixed(color: string, other: string, share: number): string {
  const others = channelsOf(other)
  const channels = channelsOf(color).map((one, index) => Math.round(one + ((others[index] ?? one) - one) * share))
  return `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Red, green and blue from 0 to 255. */
function channelsOf(color: string): number[] {
  if (!/^#[0-9a-f]{6}$/i.test(color)) throw new TypeError(`not a color: ${color}`)
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
}
