// Runs the README's first request and docs/tour.md unchanged in a shell, beside a service that was started as the README says.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksIn, hasShell, readPage, runInShell } from '#test/harness/page-code.ts'
import { processOf, type Running } from '#test/harness/process.ts'

/** The first block for a shell in a page, or behind a mark in it. */
async function blockOf(path: string, mark = ''): Promise<string> {
  const page = await readPage(path)
  return blocksIn(page.slice(page.indexOf(mark))).find(({ language }) => language === 'sh')?.text ?? ''
}

describe.skipIf(!hasShell)('the README', () => {
  let service: Running
  beforeAll(async () => {
    service = await processOf({ DEMO: '1' })
    await service.start()
  })
  afterAll(() => service.remove())

  const run = (block: string) => runInShell(block, service.url, service.dataDir)

  it('has a first request that lists an organization of the demo', async () => {
    const { stdout, stderr } = await run(await blockOf('README.md', '<!-- first request -->'))
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      data: [{ id: expect.any(Number) }],
      meta: { per_page: 1 },
    })
  })

  it('leads to a tour from registering to a fulfilled quote, tax invoices, a refund, a license, a ticket, a contract, a release and a document', async () => {
    const { stdout, stderr } = await run(await blockOf('docs/tour.md'))
    expect(stderr).toBe('')
    expect(stdout.split('\n').slice(0, 5)).toEqual(['sent', 'viewed: 609.70 BRL', 'accepted', 'paid: 303', 'fulfilled'])
    expect(stdout.split('\n').slice(-11, -1)).toEqual([
      'loja.example: 1 of 3',
      'Administrator',
      expect.stringMatching(/^SR-\d{8,}$/),
      'open, resolved',
      'active',
      'contract.pdf: 200 application/pdf',
      expect.stringMatching(/^update_available: \d+\.\d+\.\d+$/),
      'Backups run at 02:00.',
      expect.stringMatching(/^quote.paid PLG-\d+,ENV-\d+$/),
      expect.stringMatching(/^quote.fulfilled PLG-\d+,ENV-\d+$/),
    ])
    expect(stdout).toContain('NFS-e issued: 490.00\nNFS-e issued: 119.70\nsucceeded: 39.90\n')
    for (const paper of ['quotes', 'invoices', 'tax-invoices', 'credit-notes'])
      expect(stdout).toContain(`\n${paper}.pdf: 200 application/pdf\n`)
    expect(stdout).toMatch(/license_key: '([2-9A-HJKMNP-Z]{5}-){4}[2-9A-HJKMNP-Z]{5}'/)
  })
})
