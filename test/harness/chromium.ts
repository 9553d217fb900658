// A Chromium for the tests of pages: the one of CHROMIUM, or one that the system has. None is downloaded.
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Null where there is none: tests in a browser then do not run, which they say. */
export const CHROMIUM: string | null = process.env['CHROMIUM'] ?? PLACES.find((path) => existsSync(path)) ?? null

if (CHROMIUM === null)
  console.warn(
    'NO CHROMIUM: the tests of the console in a browser are skipped (CHROMIUM=/path/of/it, or `apt install chromium`)',
  )

export function openChromium(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('there is no Chromium')
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}
