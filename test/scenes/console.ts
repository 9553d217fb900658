// The console in a browser, beside the service with its demo.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { openChromium } from '#test/harness/chromium.ts'
import { openVisit, type Visit } from '#test/harness/visit.ts'
import { startDemo } from '#test/scenes/demo.ts'

export type ConsoleScene = {
  app: TestApp
  /** Somebody who has signed in by the form; nobody with null. */
  visit: (email: string | null, options?: BrowserContextOptions) => Promise<Visit>
}

/** For the top level of a test file. */
export function consoleOfFile(environment: Readonly<Record<string, string>> = {}): ConsoleScene {
  let app: TestApp
  let browser: Browser | undefined
  beforeAll(async () => {
    app = await startDemo(environment)
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await app.close()
  })
  return {
    get app() {
      return app
    },
    visit: async (email, options) => {
      if (!browser) throw new Error('the browser is not open yet')
      return openVisit(browser, app.url, email, options)
    },
  }
}
