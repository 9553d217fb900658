// How the vendor looks: name, color, logo and support link, which the service says to everybody (GET /brand). What it said last
// is kept, so that a page does not begin in another color.
import { type GetBrandResult as Brand, getBrand } from '@titular/sdk'
import { createTheme, type CSSVariablesResolver, luminance, type MantineColorsTuple } from '@mantine/core'
import { useEffect, useState } from 'react'
import { titular } from './client.ts'
import { useCompany } from './entity.ts'

const KEY = 'brand'

function keptBrand(): Brand | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}

/** Null until the service has said it for the first time. */
export function useBrand(): Brand | null {
  const [brand, setBrand] = useState(keptBrand)
  const company = useCompany()
  useEffect(() => {
    const asked = new AbortController()
    const read = async (): Promise<void> => {
      const found = await titular.call(getBrand, company ? { company } : {}, { signal: asked.signal })
      const said = JSON.stringify(found)
      localStorage.setItem(KEY, said)
      // The same one again draws nothing anew.
      setBrand((known) => (JSON.stringify(known) === said ? known : found))
    }
    // The console works without it.
    read().catch(() => {})
    return () => asked.abort()
  }, [company])
  useEffect(() => {
    if (brand) document.title = brand.name
  }, [brand])
  return brand
}

/** How much white, or black, is in each shade. The seventh is the color itself. */
const LIGHTER = [0.92, 0.82, 0.66, 0.5, 0.33, 0.15]
const DARKER = [0.12, 0.24, 0.36]

function mixed(color: string, other: number, share: number): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return `#${parts
    .map((part) =>
      Math.round(part * (1 - share) + other * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

function shadesOf(color: string): MantineColorsTuple {
  const [a, b, c, d, e, f] = LIGHTER.map((share) => mixed(color, 255, share))
  const [g, h, i] = DARKER.map((share) => mixed(color, 0, share))
  return [
    a ?? color,
    b ?? color,
    c ?? color,
    d ?? color,
    e ?? color,
    f ?? color,
    color,
    g ?? color,
    h ?? color,
    i ?? color,
  ]
}

const FONT = 'system-ui, sans-serif'

/** From this luminance on, black has more contrast than white. */
const BLACK_FROM = 0.179
/** Of texts with what is behind them, so that people with weak sight read them (WCAG 2.2, 1.4.3). */
const ENOUGH = 4.5

const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The library's own colors have less than enough contrast here. */
export const readableColors: CSSVariablesResolver = ({ colors, primaryColor }) => {
  const shades = colors[primaryColor] ?? []
  const nearest = (order: readonly number[], behind: string): string =>
    order.map((at) => shades[at] ?? behind).find((shade) => contrast(shade, behind) >= ENOUGH) ??
    'var(--mantine-color-text)'
  return {
    variables: {},
    light: {
      '--mantine-color-dimmed': '#5f666d',
      '--mantine-color-placeholder': '#5f666d',
      '--mantine-color-error': 'var(--mantine-color-red-9)',
      '--mantine-color-red-text': 'var(--mantine-color-red-9)',
      '--mantine-color-green-light-color': '#22702f',
      '--mantine-color-orange-light-color': '#b13a0c',
      '--mantine-color-anchor': nearest([6, 7, 8, 9], '#ffffff'),
    },
    dark: {
      '--mantine-color-dimmed': '#a6a6a6',
      '--mantine-color-placeholder': '#a6a6a6',
      '--mantine-color-error': 'var(--mantine-color-red-4)',
      '--mantine-color-anchor': nearest([4, 3, 2, 1], '#2e2e2e'),
    },
  }
}

/** Texts on the color are black or white, whichever is read better. */
export const themeOf = (brand: Brand | null) =>
  createTheme({
    fontFamily: FONT,
    autoContrast: true,
    luminanceThreshold: BLACK_FROM,
    // Where there is no link in it, the keyboard scrolls it.
    components: {
      TableScrollContainer: { defaultProps: { tabIndex: 0 } },
      // The header of a dialog is none of the page.
      ModalHeader: { defaultProps: { role: 'presentation' } },
    },
    ...(brand && /^#[0-9a-f]{6}$/i.test(brand.color)
      ? { primaryColor: 'brand', colors: { brand: shadesOf(brand.color) } }
      : { primaryColor: 'blue' }),
  })
