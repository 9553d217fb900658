// What axe-core finds on a page, one line for each rule and element.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Evaluated by the browser's protocol, which the page's policy does not forbid. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(SOURCE)
  const { violations } = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, failureSummary }) => {
      const why = failureSummary?.split('\n').slice(1).join(' ').trim() ?? ''
      return `${id}: ${target.join(' ')} ${html.slice(0, 160)} ${why}`
    }),
  )
}
