// The contract of the port that looks for proofs. The tests of each adapter run it against a domain that they set up.
import { describe, expect, it } from 'vitest'
import { proofOf, type SiteProofs } from './site-proofs.ts'

/** What is published for the domain. */
export type Published = { txt?: string; file?: string } | 'nothing' | 'no answer'

export function siteProofsContract(name: string, open: (published: Published) => Promise<SiteProofs>): void {
  describe(`site proofs by ${name}`, () => {
    const domain = 'shop.acme.example'
    const proof = proofOf('of-this-site')
    it.each<[Published, object]>([
      [{ txt: proof }, { dns: 'proven' }],
      [{ file: proof }, { file: 'proven' }],
      [
        { txt: proofOf('of-another-site'), file: proofOf('of-another-site') },
        { dns: 'wrong_value', file: 'wrong_value' },
      ],
      ['nothing', { dns: 'not_found', file: 'not_found' }],
      ['no answer', { dns: 'unreachable', file: 'unreachable' }],
    ])('%j gives %j, each time', async (published, found) => {
      const proofs = await open(published)
      expect(await proofs.find(domain, proof)).toMatchObject(found)
      expect(await proofs.find(domain, proof)).toMatchObject(found)
    })
  })
}
