// The shades of any color can be read as level AA of WCAG asks.
import { describe, expect, it } from 'vitest'
import { contrast, mixed, shadesOf } from './brand.ts'

const STEPS = [0, 51, 102, 153, 204, 255]
const COLORS = STEPS.flatMap((red) =>
  STEPS.flatMap((green) =>
    STEPS.map((blue) => `#${[red, green, blue].map((one) => one.toString(16).padStart(2, '0')).join('')}`),
  ),
)

describe('shadesOf', () => {
  it('gives shades of 216 colors with a contrast of 4.5 where each is used', () => {
    const weak = COLORS.filter((color) => {
      const { text, onLight, onDark } = shadesOf(color)
      const pairs: [string, string][] = [
        [text, color],
        [onLight, '#f3f5f8'],
        [onLight, '#ffffff'],
        [onDark, '#1b212a'],
        [onDark, '#12161c'],
        [onDark, '#000000'],
      ]
      return pairs.some(([one, other]) => contrast(one, other) < 4.5)
    })
    expect(weak).toEqual([])
  })
  it('leaves a color as it is where it can be read', () => {
    expect(shadesOf('#1f5fd0')).toMatchObject({ text: '#ffffff', onLight: '#1f5fd0' })
    expect(shadesOf('#ffee00')).toMatchObject({ text: '#000000', onDark: '#ffee00' })
  })
  it('takes letters of either case, and refuses what is no color', () => {
    expect(shadesOf('#1F5FD0').onLight).toBe('#1f5fd0')
    for (const text of ['red', '#123', '#12345g', '#1234567', '']) expect(() => shadesOf(text)).toThrow(TypeError)
  })
})

describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#777777', '#ffffff', 4.48],
    ['#ffffff', '#ffffff', 1],
  ])('of %s and %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2)
    expect(contrast(other, one)).toBeCloseTo(ratio, 2)
  })
})

describe('mixed', () => {
  it('goes from the one color to the other', () => {
    expect([0, 0.5, 1].map((share) => mixed('#000000', '#ffffff', share))).toEqual(['#000000', '#808080', '#ffffff'])
  })
})
