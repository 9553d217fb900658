// How the vendor looks: name, colour, logo and support link, which the service says to everybody (GET /brand). What it said last
// is kept, so that a page does not begin in another colour.
import { type GetBrandResult as Brand, getBrand } from '@titular/sdk'
import { createTheme, type MantineColorsTuple } from '@mantine/core'
import { useEffect, useState } from 'react'
import { titular } from './client.ts'

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
  useEffect(() => {
    const read = async (): Promise<void> => {
      const found = await titular.call(getBrand)
      localStorage.setItem(KEY, JSON.stringify(found))
      setBrand(found)
    }
    // The console works without it.
    read().catch(() => {})
  }, [])
  useEffect(() => {
    if (brand) document.title = brand.name
  }, [brand])
  return brand
}

/** How much white, or black, is in each shade. The seventh is the colour itself. */
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

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'

/** Texts on the colour are black or white, whichever is read better. */
export const themeOf = (brand: Brand | null) =>
  createTheme({
    fontFamily: FONT,
    autoContrast: true,
    ...(brand && /^#[0-9a-f]{6}$/i.test(brand.color)
      ? { primaryColor: 'brand', colors: { brand: shadesOf(brand.color) } }
      : { primaryColor: 'blue' }),
  })
